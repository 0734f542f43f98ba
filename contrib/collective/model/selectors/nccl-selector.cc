/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-selector.h"

#include "nccl-division.h"
#include "nccl-names.h"

#include "ns3/channel-range.h"
#include "ns3/collective-algorithm-catalogue.h"
#include "ns3/comma-list.h"
#include "ns3/data-rate.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/text-value.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NcclSelector);

namespace
{

const std::string DIRECT = "P2P";     //!< what NCCL calls what is sent directly
const std::string OF_FILES = "MSCCL"; //!< algorithms that files describe
const std::string OF_KERNEL = "Ring"; //!< whose steps MSCCL's kernel takes

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

/**
 * \param kind a kind of collective
 * \param algorithm an algorithm for it
 * \return NCCL's name of the kernels that do it, empty if there are none
 */
std::string
GetKernels(CollectiveKind kind, TypeId algorithm)
{
    const std::string kernels =
        NcclNames::GetKernels(CollectiveAlgorithmCatalogue(kind).GetLabel(algorithm));
    return kernels == OF_FILES || NcclNames::HasAlgorithms(kind) ? kernels : DIRECT;
}

/**
 * \param kind a kind of collective
 * \param algorithm NCCL's name of an algorithm
 * \return the algorithm for the kind, none if there is none
 */
std::optional<TypeId>
FindType(CollectiveKind kind, const std::string& algorithm)
{
    const CollectiveAlgorithmCatalogue catalogue(kind);
    const std::string label = NcclNames::GetLabel(algorithm);
    for (const TypeId& type : catalogue.GetTypes())
    {
        if (catalogue.GetLabel(type) == label)
        {
            return type;
        }
    }
    return std::nullopt;
}

/** \param [in,out] ways loses what is not allowed \param allows says so */
void
Keep(std::vector<NcclSelector::Candidate>& ways,
     const std::function<bool(const NcclSelector::Candidate&)>& allows)
{
    ways.erase(std::remove_if(ways.begin(),
                              ways.end(),
                              [&](const auto& way) { return !allows(way); }),
               ways.end());
}

/**
 * \param ways what there is to choose from
 * \param protocols name protocols, not algorithms
 * \param labels name algorithms by their labels, not as NCCL does
 * \return the names, as a phrase
 */
std::string
Describe(const std::vector<NcclSelector::Candidate>& ways, bool protocols, bool labels)
{
    std::vector<std::string> names;
    for (const NcclSelector::Candidate& way : ways)
    {
        const std::string name = protocols ? way.protocol
                                 : labels  ? NcclNames::GetLabel(way.algorithm)
                                           : way.algorithm;
        if (std::find(names.begin(), names.end(), name) == names.end())
        {
            names.push_back(name);
        }
    }
    return (names.size() > 1 ? "one of " : "") + JoinList(names);
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
                          "Entry of section collectives by which is chosen. Empty: the one that "
                          "the entry of Gpu names (key Tuning), or that entry itself.",
                          StringValue(""),
                          MakeStringAccessor(&NcclSelector::m_tuning),
                          MakeStringChecker())
            .AddAttribute("Algorithms",
                          "Algorithms that may be used, or behind a ^ those that may not, as "
                          "NCCL_ALGO has them (see NcclList): Ring, Tree, NVLS, NVLSTree, "
                          "CollNetDirect, CollNetChain, MSCCL. Empty: all.",
                          StringValue(""),
                          MakeStringAccessor(&NcclSelector::m_algorithms),
                          MakeStringChecker())
            .AddAttribute("Protocols",
                          "Protocols that may be used, or behind a ^ those that may not, as "
                          "NCCL_PROTO has them (see NcclList): LL, LL128, Simple. Empty: all.",
                          StringValue(""),
                          MakeStringAccessor(&NcclSelector::m_protocols),
                          MakeStringChecker())
            .AddAttribute("Protocol",
                          "The one protocol that may be used, for what is sent directly, too. "
                          "Empty: any.",
                          StringValue(""),
                          MakeStringAccessor(&NcclSelector::m_protocol),
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
                MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("ChannelTraffic",
                          "Least traffic of a channel, bytes, see NcclDivision: NCCL's "
                          "MinTrafficPerChannel. 512 in 2.22, 32768 in 2.30; 0 for NCCL before "
                          "2.22, which has none.",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&NcclSelector::m_channelTraffic),
                          MakeUintegerChecker<uint64_t>(0, 1ULL << 40));
    return tid;
}

NcclSelector::NcclSelector() = default;
NcclSelector::~NcclSelector() = default;

void
NcclSelector::DoDispose()
{
    m_direct = nullptr;
    m_files = nullptr;
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
    m_choice = std::make_unique<CollectiveCosts>(
        table,
        m_tuning.empty() ? m_costs->GetTuning() : m_tuning);
    m_allowed = NcclList(ValueOf("ns3::NcclSelector::Algorithms", m_algorithms),
                         NcclNames::GetKnownAlgorithms());
    m_allowedProtocols = NcclList(ValueOf("ns3::NcclSelector::Protocols", m_protocols),
                                  NcclNames::GetProtocols());
    if (!m_protocol.empty())
    {
        m_protocol = NcclNames::FindProtocol(ValueOf("ns3::NcclSelector::Protocol", m_protocol));
    }
    if (!m_tunerFile.empty())
    {
        m_table = std::make_unique<NcclTunerFile>(m_tunerFile);
    }
    m_surroundings = {m_intraRate, m_interRate, m_networkLatency, m_hostLaunch};
    m_direct = CreateObject<FirstFitSelector>();
    m_direct->LeaveOut(MscclAlgorithm::GetTypeId());
    m_files = CreateObject<MscclAlgorithm>();
}

Ptr<CollectiveAlgorithm>
NcclSelector::GetAlgorithm(CollectiveKind kind,
                           const NcclChoice& choice,
                           const std::optional<TypeId>& pinned)
{
    const auto& [algorithm, protocol, channels] = choice;
    const auto [entry, isNew] =
        m_made.try_emplace({kind, algorithm, protocol, channels, pinned}, nullptr);
    if (isNew)
    {
        if (const std::optional<TypeId> type = pinned ? pinned : FindType(kind, algorithm))
        {
            ObjectFactory factory;
            factory.SetTypeId(*type);
            entry->second = factory.Create<CollectiveAlgorithm>();
        }
        if (auto* const range = dynamic_cast<ChannelRange*>(PeekPointer(entry->second)))
        {
            range->SetDivision(
                std::make_shared<NcclDivision>(algorithm, protocol, m_channelTraffic, channels));
        }
    }
    return entry->second;
}

Ptr<CollectiveAlgorithm>
NcclSelector::Resolve(const CollectiveRequest& request,
                      const NcclChoice& choice,
                      const std::optional<TypeId>& pinned)
{
    if (pinned && choice.algorithm != GetKernels(request.kind, *pinned))
    {
        return nullptr;
    }
    const Ptr<CollectiveAlgorithm> found = choice.algorithm == DIRECT && !pinned
                                               ? m_direct->Select(request).algorithm
                                               : GetAlgorithm(request.kind, choice, pinned);
    return found && found->Supports(request) ? found : nullptr;
}

std::vector<NcclSelector::Candidate>
NcclSelector::GetWays(const CollectiveRequest& request, const std::optional<TypeId>& pinned)
{
    std::vector<std::string> names{DIRECT};
    if (NcclNames::HasAlgorithms(request.kind))
    {
        names = NcclNames::GetAlgorithms();
    }
    std::vector<Candidate> ways;
    for (const std::string& name : names)
    {
        for (const std::string& protocol : NcclNames::GetProtocols())
        {
            // NCCL's own constants say nothing of what is sent directly.
            const CollectiveCosts& costs = name == DIRECT ? *m_costs : *m_choice;
            const auto time = costs.Estimate(request, name, protocol, m_surroundings);
            if (time && m_costs->Has(name, protocol) &&
                Resolve(request, {name, protocol, 0}, pinned))
            {
                ways.push_back({name, protocol, *time});
            }
        }
    }
    return ways;
}

std::vector<NcclSelector::Restriction>
NcclSelector::GetRestrictions(const CollectiveRequest& request, const Pin& pin) const
{
    std::vector<Restriction> all;
    if (pin.algorithm)
    {
        const std::string kernels = GetKernels(request.kind, *pin.algorithm);
        const CollectiveAlgorithmCatalogue catalogue(request.kind);
        all.push_back({"algorithm",
                       catalogue.GetLabel(*pin.algorithm),
                       false,
                       [kernels](const Candidate& way) { return way.algorithm == kernels; }});
    }
    all.push_back({"NCCL_ALGO", m_algorithms, false, [&](const Candidate& way) {
                       return m_allowed.Allows(request.kind, way.algorithm);
                   }});
    for (const std::string& protocol : {pin.protocol, m_protocol})
    {
        if (!protocol.empty())
        {
            all.push_back({"protocol", protocol, true, [protocol](const Candidate& way) {
                               return way.protocol == protocol;
                           }});
        }
    }
    all.push_back({"NCCL_PROTO", m_protocols, true, [&](const Candidate& way) {
                       return m_allowedProtocols.Allows(request.kind, way.protocol);
                   }});
    return all;
}

std::vector<NcclSelector::Candidate>
NcclSelector::GetCandidates(const CollectiveRequest& request, const Pin& pin)
{
    Prepare();
    std::vector<Candidate> candidates = GetWays(request, pin.algorithm);
    for (const Restriction& restriction : GetRestrictions(request, pin))
    {
        Keep(candidates, restriction.allows);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
        return a.microseconds < b.microseconds;
    });
    return candidates;
}

std::vector<NcclSelector::Candidate>
NcclSelector::GetCandidates(const CollectiveRequest& request)
{
    return GetCandidates(request, {});
}

CollectiveChoice
NcclSelector::Select(const CollectiveRequest& request)
{
    return Select(request, {});
}

CollectiveChoice
NcclSelector::Select(const CollectiveRequest& request, const Pin& pin)
{
    Prepare();
    const CollectiveChoice ofFiles = SelectOfFiles(request, pin);
    if (ofFiles.algorithm)
    {
        return ofFiles;
    }
    const std::vector<Candidate> candidates = GetCandidates(request, pin);
    if (candidates.empty())
    {
        return SelectWithoutCosts(request, pin);
    }
    NcclChoice chosen{candidates.front().algorithm, candidates.front().protocol, 0};
    if (const auto wanted = m_table ? m_table->Find(request) : std::nullopt)
    {
        const bool isThere =
            std::any_of(candidates.begin(), candidates.end(), [&wanted](const Candidate& way) {
                return way.algorithm == wanted->algorithm && way.protocol == wanted->protocol;
            });
        chosen = isThere ? *wanted : chosen;
    }
    return {Resolve(request, chosen, pin.algorithm),
            m_costs->GetProtocol(request, chosen.algorithm, chosen.protocol, m_surroundings)};
}

CollectiveChoice
NcclSelector::SelectOfFiles(const CollectiveRequest& request, const Pin& pin)
{
    const bool isOther = pin.algorithm && *pin.algorithm != MscclAlgorithm::GetTypeId();
    // Lists are not for what NCCL sends directly, but files may be for that, too.
    const bool isExcluded =
        !NcclNames::HasAlgorithms(request.kind) && m_allowed.Excludes(OF_FILES);
    if (isOther || isExcluded || !m_files->Supports(request))
    {
        return {};
    }
    const Candidate way{OF_FILES, m_files->GetProtocolName(request), 0};
    for (const Restriction& restriction : GetRestrictions(request, pin))
    {
        if (!restriction.allows(way))
        {
            return {};
        }
    }
    return {m_files,
            m_costs->Has(OF_KERNEL, way.protocol)
                ? m_costs->GetProtocol(request, OF_KERNEL, way.protocol, m_surroundings)
                : CollectiveProtocol{}};
}

CollectiveChoice
NcclSelector::SelectWithoutCosts(const CollectiveRequest& request, const Pin& pin)
{
    const bool isFree = m_protocol.empty() && pin.protocol.empty();
    const bool hasAlgorithms = NcclNames::HasAlgorithms(request.kind);
    if (hasAlgorithms || !isFree || !GetWays(request, std::nullopt).empty())
    {
        return {};
    }
    return {Resolve(request, {DIRECT, "", 0}, pin.algorithm), {}};
}

CollectiveRefusal
NcclSelector::Explain(const CollectiveRequest& request)
{
    return Explain(request, {});
}

CollectiveRefusal
NcclSelector::Explain(const CollectiveRequest& request, const Pin& pin)
{
    Prepare();
    std::vector<Candidate> left = GetWays(request, std::nullopt);
    const std::string protocol = pin.protocol.empty() ? m_protocol : pin.protocol;
    if (left.empty() && !protocol.empty())
    {
        return {"protocol", protocol, "none, since no costs of kernels are known of " + m_gpu};
    }
    for (const Restriction& restriction : GetRestrictions(request, pin))
    {
        std::vector<Candidate> rest = left;
        Keep(rest, restriction.allows);
        if (rest.empty() && !left.empty())
        {
            const bool isPin = restriction.option == "algorithm";
            return {restriction.option,
                    restriction.value,
                    (boost::starts_with(restriction.option, "NCCL") ? "to allow " : "") +
                        Describe(left, restriction.isOfProtocols, isPin) +
                        (isPin ? " (of others no costs of kernels are known)" : "")};
        }
        left = rest;
    }
    return {};
}

} // namespace ns3
