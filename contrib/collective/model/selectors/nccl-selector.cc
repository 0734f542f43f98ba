/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-selector.h"

#include "nccl-names.h"

#include "ns3/collective-algorithm-catalogue.h"
#include "ns3/data-rate.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/text-value.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NcclSelector);

namespace
{

const std::string DIRECT = "P2P"; //!< what NCCL calls what is sent directly

/**
 * \param attribute an attribute of the selector
 * \param text its value, which must live on
 * \return it, for errors
 */
TextValue
ValueOf(const char* attribute, const std::string& text)
{
    return TextValue("attribute", attribute, text);
}

} // namespace

TypeId
NcclSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NcclSelector")
            .SetParent<CollectiveSelector>()
            .SetGroupName("Collective")
            .AddConstructor<NcclSelector>()
            .AddAttribute("Gpu",
                          "Whose kernels ranks run: entry of section collectives of the hardware "
                          "table. Scenarios take the GPU of the topology where it is empty.",
                          StringValue(""),
                          MakeStringAccessor(&NcclSelector::m_gpu),
                          MakeStringChecker())
            .AddAttribute("Tuning",
                          "Entry of section collectives by which is chosen; empty for that of Gpu.",
                          StringValue(""),
                          MakeStringAccessor(&NcclSelector::m_tuning),
                          MakeStringChecker())
            .AddAttribute("Algorithms",
                          "Algorithms that may be used, or behind a ^ those that may not: Ring, "
                          "Tree, NVLS, NVLSTree, with commas between them (NCCL_ALGO). Empty: all.",
                          StringValue(""),
                          MakeStringAccessor(&NcclSelector::m_algorithms),
                          MakeStringChecker())
            .AddAttribute("Protocols",
                          "Protocols that may be used, or behind a ^ those that may not: LL, "
                          "LL128, Simple (NCCL_PROTO). Empty: all.",
                          StringValue(""),
                          MakeStringAccessor(&NcclSelector::m_protocols),
                          MakeStringChecker())
            .AddAttribute("TunerFile",
                          "Table of choices that comes first, where they are allowed and possible, "
                          "see NcclTunerFile. Empty: none.",
                          StringValue(""),
                          MakeStringAccessor(&NcclSelector::m_tunerFile),
                          MakeStringChecker())
            .AddAttribute(
                "IntraRate",
                "Rate of a rank's links to its server's others, all together. 0: unknown.",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&NcclSelector::m_intraRate),
                MakeDataRateChecker())
            .AddAttribute(
                "InterRate",
                "A rank's share of the rate of its server's NICs. 0: there are none.",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&NcclSelector::m_interRate),
                MakeDataRateChecker())
            .AddAttribute(
                "NetworkLatency",
                "What a step between servers takes beside the links and NCCL's own share: "
                "NIC, driver, transport.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&NcclSelector::m_networkLatency),
                MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute(
                "HostLaunch",
                "What the host takes to launch a kernel, beside the GPU's share. Those of "
                "section collectives are of kernels in CUDA graphs.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&NcclSelector::m_hostLaunch),
                MakeTimeChecker(Time(0), Seconds(1)));
    return tid;
}

NcclSelector::NcclSelector() = default;
NcclSelector::~NcclSelector() = default;

void
NcclSelector::DoDispose()
{
    m_direct = nullptr;
    m_made.clear();
    CollectiveSelector::DoDispose();
}

void
NcclSelector::Prepare()
{
    if (m_costs)
    {
        return;
    }
    const HardwareTable table = HardwareTable::Load();
    m_costs = std::make_unique<CollectiveCosts>(table, m_gpu);
    m_choice = std::make_unique<CollectiveCosts>(table, m_tuning.empty() ? m_gpu : m_tuning);
    m_allowed = NcclNames::Filter(ValueOf("ns3::NcclSelector::Algorithms", m_algorithms),
                                  NcclNames::GetAlgorithms());
    m_allowedProtocols = NcclNames::Filter(ValueOf("ns3::NcclSelector::Protocols", m_protocols),
                                           NcclNames::GetProtocols());
    if (!m_tunerFile.empty())
    {
        m_table = std::make_unique<NcclTunerFile>(m_tunerFile);
    }
    m_surroundings = {m_intraRate, m_interRate, m_networkLatency, m_hostLaunch};
    m_direct = CreateObject<FirstFitSelector>();
}

Ptr<CollectiveAlgorithm>
NcclSelector::GetAlgorithm(CollectiveKind kind, const std::string& algorithm)
{
    const auto [entry, isNew] = m_made.try_emplace({kind, algorithm}, nullptr);
    if (isNew)
    {
        const CollectiveAlgorithmCatalogue catalogue(kind);
        const std::string label = NcclNames::GetLabel(algorithm);
        for (const TypeId& type : catalogue.GetTypes())
        {
            if (catalogue.GetLabel(type) == label)
            {
                ObjectFactory factory;
                factory.SetTypeId(type);
                entry->second = factory.Create<CollectiveAlgorithm>();
            }
        }
    }
    return entry->second;
}

std::vector<NcclSelector::Candidate>
NcclSelector::GetCandidates(const CollectiveRequest& request)
{
    Prepare();
    std::vector<Candidate> candidates;
    for (const std::string& name : m_allowed)
    {
        const Ptr<CollectiveAlgorithm> algorithm = GetAlgorithm(request.kind, name);
        for (const std::string& protocol : m_allowedProtocols)
        {
            const auto time = m_choice->Estimate(request, name, protocol, m_surroundings);
            if (time && algorithm && m_costs->Has(name, protocol) && algorithm->Supports(request))
            {
                candidates.push_back({name, protocol, *time});
            }
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
        return a.microseconds < b.microseconds;
    });
    return candidates;
}

CollectiveChoice
NcclSelector::Select(const CollectiveRequest& request)
{
    Prepare();
    const std::vector<Candidate> candidates = GetCandidates(request);
    if (candidates.empty())
    {
        return SelectDirect(request);
    }
    auto chosen = candidates.begin();
    if (const auto wanted = m_table ? m_table->Find(request) : std::nullopt)
    {
        const auto found =
            std::find_if(chosen, candidates.end(), [&wanted](const Candidate& candidate) {
                return candidate.algorithm == wanted->algorithm &&
                       candidate.protocol == wanted->protocol;
            });
        chosen = found == candidates.end() ? chosen : found;
    }
    return {GetAlgorithm(request.kind, chosen->algorithm),
            m_costs->GetProtocol(request, chosen->algorithm, chosen->protocol, m_surroundings)};
}

CollectiveChoice
NcclSelector::SelectDirect(const CollectiveRequest& request)
{
    for (const std::string& name : NcclNames::GetAlgorithms())
    {
        const Ptr<CollectiveAlgorithm> algorithm = GetAlgorithm(request.kind, name);
        if (algorithm && algorithm->Supports(request))
        {
            return {}; // NCCL has algorithms for it, and none is allowed
        }
    }
    CollectiveChoice choice = m_direct->Select(request);
    std::string best;
    double least = 0;
    for (const std::string& protocol : m_allowedProtocols)
    {
        const auto time = m_choice->Estimate(request, DIRECT, protocol, m_surroundings);
        if (time && m_costs->Has(DIRECT, protocol) && (best.empty() || *time < least))
        {
            best = protocol;
            least = *time;
        }
    }
    if (!best.empty())
    {
        choice.protocol = m_costs->GetProtocol(request, DIRECT, best, m_surroundings);
    }
    return choice;
}

} // namespace ns3
