/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fct-study.h"

#include "flow-run.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/left-to-right-traffic-pattern.h"
#include "ns3/result-format.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/string.h"
#include "ns3/topology-loader.h"
#include "ns3/type-catalogue.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <numeric>
#include <ostream>
#include <sstream>

namespace ns3
{

namespace
{

/** Load factor 1, 8 Gb/s, as a share of the bottleneck's 10 Gb/s. */
constexpr double SHARE_OF_LOAD_1 = 0.8;

/** The figure of the paper, digitised from its EPS. */
constexpr FctPublished PUBLISHED[] = {
    {"Dcqcn", 0.1, 16.0, 45},
    {"Dcqcn", 0.2, 18.0, 69.8},
    {"Dcqcn", 0.4, 23.0, 90.4},
    {"Dcqcn", 0.6, 29.0, 121.1},
    {"Dcqcn", 0.8, 40.0, 190.2},
    {"Dcqcn", 1.0, 56.5, 246.2},
    {"PatchedTimely", 0.1, 16.0, 45},
    {"PatchedTimely", 0.2, 18.0, 69.8},
    {"PatchedTimely", 0.4, 23.0, 185.7},
    {"PatchedTimely", 0.6, 34.0, 476},
    {"PatchedTimely", 0.8, 61.1, 7310},
    {"PatchedTimely", 1.0, 407.8, 7384},
    {"Timely", 0.1, 16.0, 45},
    {"Timely", 0.2, 18.0, 78.4},
    {"Timely", 0.4, 26.0, 375.3},
    {"Timely", 0.6, 36.0, 2602},
    {"Timely", 0.8, 125.5, 7359},
    {"Timely", 1.0, 836.6, 7384},
};

/** \param sorted values, ascending \param share 0 to 1 \return the smallest that reaches it */
template <class T>
double
Quantile(const std::vector<T>& sorted, double share)
{
    if (sorted.empty())
    {
        return 0;
    }
    const auto rank = static_cast<std::size_t>(std::ceil(share * sorted.size()));
    return static_cast<double>(sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1]);
}

/** \param times some \return them in microseconds */
std::vector<double>
ToMicroseconds(const std::vector<Time>& times)
{
    const double tick = static_cast<double>(MicroSeconds(1).GetTimeStep());
    std::vector<double> values;
    values.reserve(times.size());
    for (const Time& time : times)
    {
        values.push_back(static_cast<double>(time.GetTimeStep()) / tick);
    }
    return values;
}

/** \param load a load \return it, with one decimal if that is all */
std::string
DescribeLoad(double load)
{
    const std::string text = FormatFixed(load, 1);
    return std::abs(std::stod(text) - load) < 1e-9 ? text : FormatFixed(load, 3);
}

/** \param value a number, 0: none \param published the paper's, 0: none \return the difference */
std::string
DescribeDeviation(double value, double published)
{
    if (published == 0 || value == 0)
    {
        return "";
    }
    const double percent = (value / published - 1) * 100;
    return (percent < 0 ? "" : "+") + FormatFixed(percent, 0) + " %";
}

} // namespace

std::optional<double>
FctEstimate::GetStandardError(const std::vector<double>& perSeed)
{
    const double n = perSeed.size();
    if (n < 2)
    {
        return std::nullopt;
    }
    const double mean = std::accumulate(perSeed.begin(), perSeed.end(), 0.0) / n;
    double squares = 0;
    for (const double value : perSeed)
    {
        squares += (value - mean) * (value - mean);
    }
    return std::sqrt(squares / (n - 1) / n);
}

FctStudy::FctStudy(const FctStudyOptions& options)
    : m_options(options)
{
}

void
FctStudy::SetPaperAttributes(ScopedDefaults& defaults)
{
    FlowRun::SetFlowAttributes(defaults);
    // The authors' simulator: packets of 1000 bytes.
    defaults.Set("ns3::RoceNicDevice::MtuBytes", UintegerValue(1000));
    // The same: switches of 9 MB, of which a port may take nearly all. The longest queue of the
    // paper is 9266 KB.
    defaults.Set("ns3::RoceSwitchDevice::BufferBytes", UintegerValue(9 << 20));
    defaults.Set("ns3::RoceSwitchDevice::Alpha", DoubleValue(16));
    // DCQCN, SIGCOMM 2015, section 5, by the letter; the rest are defaults.
    defaults.Set("ns3::RoceSwitchDevice::EcnReferenceRate", DataRateValue(DataRate(0)));
    defaults.Set("ns3::RoceSwitchDevice::EcnKmin", UintegerValue(5000));
    defaults.Set("ns3::RoceSwitchDevice::EcnKmax", UintegerValue(200000));
    defaults.Set("ns3::RoceSwitchDevice::EcnPmax", DoubleValue(0.01));
    defaults.Set("ns3::DcqcnCongestionControl::AdditiveIncrease",
                 DataRateValue(DataRate("40Mbps")));
    // Inferred: with 0.8, the value of TIMELY's own paper, no queue comes near the figure's.
    defaults.Set("ns3::TimelyCongestionControl::Beta", DoubleValue(0.008));
}

FctRow
FctStudy::Measure(TypeId control, double load) const
{
    FctRow row;
    row.control = TypeCatalogue(RoceCongestionControl::GetTypeId()).GetShortName(control);
    row.load = load;
    const FctStudyOptions paper;
    if (m_options.topology == paper.topology && m_options.sizes == paper.sizes)
    {
        row.published = FindPublished(row.control, load);
    }
    ScopedDefaults defaults;
    defaults.Set("ns3::RoceNicDevice::CongestionControl", TypeIdValue(control));
    std::vector<double> completions;
    std::vector<uint64_t> queue;
    std::vector<double> medians;
    std::vector<double> p90s;
    for (uint32_t i = 0; i < m_options.seeds; i++)
    {
        RngSeedManager::SetRun(m_options.firstSeed + i);
        FctRunOptions run;
        run.topology = LoadTopology(m_options.topology);
        run.warmUp = m_options.warmUp;
        run.queueInterval = MicroSeconds(20);
        run.traffic = CreateObject<PoissonTraffic>();
        run.traffic->SetAttribute("Sizes", StringValue(m_options.sizes));
        run.traffic->SetAttribute("Pattern", TypeIdValue(LeftToRightTrafficPattern::GetTypeId()));
        run.traffic->SetAttribute("Load", DoubleValue(load * SHARE_OF_LOAD_1));
        run.traffic->SetAttribute("Duration", TimeValue(m_options.warmUp + m_options.duration));
        const FctRunResult result = FctRun(run).Run();
        const std::vector<double> times = ToMicroseconds(result.completions);
        if (!times.empty())
        {
            medians.push_back(Quantile(times, 0.5));
            p90s.push_back(Quantile(times, 0.9));
        }
        completions.insert(completions.end(), times.begin(), times.end());
        queue.insert(queue.end(), result.queueBytes.begin(), result.queueBytes.end());
        row.unfinished += result.unfinished;
        row.mostActive = std::max(row.mostActive, result.mostActive);
        row.pauses += result.network.pfcPauses;
        row.packetHops += result.network.packetHops;
        row.wallSeconds += result.wallSeconds;
    }
    std::sort(completions.begin(), completions.end());
    std::sort(queue.begin(), queue.end());
    row.samples = completions.size();
    row.median = {Quantile(completions, 0.5), FctEstimate::GetStandardError(medians)};
    row.p90 = {Quantile(completions, 0.9), FctEstimate::GetStandardError(p90s)};
    row.queueMedian = Quantile(queue, 0.5) / 1000;
    row.queueP90 = Quantile(queue, 0.9) / 1000;
    row.queueMax = Quantile(queue, 1) / 1000;
    return row;
}

std::optional<FctPublished>
FctStudy::FindPublished(const std::string& control, double load)
{
    for (const FctPublished& published : PUBLISHED)
    {
        if (published.control == control && std::abs(published.load - load) < 1e-9)
        {
            return published;
        }
    }
    return std::nullopt;
}

void
FctStudy::PrintHeading(std::ostream& out, bool csv)
{
    if (csv)
    {
        out << "congestion_control,load,flows,unfinished,most_active,median_us,median_error_us,"
               "median_published_us,p90_us,p90_error_us,p90_published_us,queue_median_kb,"
               "queue_p90_kb,queue_max_kb,pfc_pauses,packet_hops,wall_s\n";
        return;
    }
    out << "completion time of flows below 100 KB, us; bottleneck's queue, KB; +- standard error\n"
        << std::left << std::setw(14) << "control" << std::right << std::setw(5) << "load"
        << std::setw(7) << "flows" << std::setw(17) << "median" << std::setw(7) << "paper"
        << std::setw(9) << "" << std::setw(19) << "p90" << std::setw(8) << "paper" << std::setw(9)
        << "" << std::setw(9) << "queue" << std::setw(8) << "p90" << std::setw(8) << "max"
        << std::setw(10) << "Mhops/s"
        << "\n";
}

void
FctStudy::Print(std::ostream& out, const FctRow& row, bool csv)
{
    const FctPublished paper = row.published.value_or(FctPublished{nullptr, 0, 0, 0});
    const auto number = [](double value) { return value > 0 ? FormatFixed(value, 1) : ""; };
    const auto pair = [&row](const FctEstimate& estimate) {
        const std::string error =
            estimate.error ? " +- " + FormatFixed(*estimate.error, 1) : std::string();
        return row.samples == 0 ? "no flow" : FormatFixed(estimate.value, 1) + error;
    };
    const auto measured = [&row](const std::optional<double>& value) {
        return row.samples == 0 || !value ? "" : FormatFixed(*value, 3);
    };
    if (csv)
    {
        out << row.control << "," << FormatFixed(row.load, 2) << "," << row.samples << ","
            << row.unfinished << "," << row.mostActive << "," << measured(row.median.value)
            << "," << measured(row.median.error) << "," << number(paper.median) << ","
            << measured(row.p90.value) << "," << measured(row.p90.error) << ","
            << number(paper.p90) << "," << FormatFixed(row.queueMedian, 3) << ","
            << FormatFixed(row.queueP90, 3) << "," << FormatFixed(row.queueMax, 3) << ","
            << row.pauses << "," << row.packetHops << "," << FormatFixed(row.wallSeconds, 3)
            << "\n";
        return;
    }
    const double rate = row.wallSeconds > 0 ? row.packetHops / row.wallSeconds / 1e6 : 0;
    out << std::left << std::setw(14) << row.control << std::right << std::setw(5)
        << DescribeLoad(row.load) << std::setw(7) << row.samples << std::setw(17)
        << pair(row.median) << std::setw(7) << number(paper.median) << std::setw(9)
        << DescribeDeviation(row.median.value, paper.median) << std::setw(19) << pair(row.p90)
        << std::setw(8) << number(paper.p90) << std::setw(9)
        << DescribeDeviation(row.p90.value, paper.p90) << std::setw(9)
        << FormatFixed(row.queueMedian, 1) << std::setw(8) << FormatFixed(row.queueP90, 1)
        << std::setw(8) << FormatFixed(row.queueMax, 0) << std::setw(10) << FormatFixed(rate, 1)
        << (row.unfinished > 0 ? "  unfinished: " + std::to_string(row.unfinished) : "") << "\n";
}

} // namespace ns3
