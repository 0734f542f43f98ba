/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-contenders.h"

#include "ns3/collective-algorithm-catalogue.h"
#include "ns3/collective-group-maker.h"
#include "ns3/collective-tag.h"
#include "ns3/config-error.h"
#include "ns3/object-factory.h"
#include "ns3/nccl-names.h"
#include "ns3/pinned-selector.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

CollectiveContenders::CollectiveContenders(Ptr<CollectiveEngine> engine,
                                           const Topology& topology,
                                           const NcclTest& test,
                                           uint32_t ranks)
    : m_engine(engine),
      m_topology(topology),
      m_test(test),
      m_ranks(ranks)
{
}

void
CollectiveContenders::Use(const CollectiveContest& contest,
                          const std::vector<CollectiveCall>& calls,
                          Ptr<NcclSelector> costs)
{
    if (contest.algorithms.empty() && !contest.IsComparison())
    {
        Add(Make(""));
        return;
    }
    const auto selector = CreateObject<PinnedSelector>();
    selector->SetCosts(costs);
    const bool isNamed = (!contest.isOfAlgorithms || !contest.algorithms.empty()) &&
                         (!contest.isOfProtocols || !contest.protocols.empty());
    for (const Pair& pair : FindPairs(contest, calls))
    {
        std::string label = pair.algorithm ? GetLabel(pair.algorithm->GetName()) : "";
        label += (label.empty() || pair.protocol.empty() ? "" : " ") + pair.protocol;
        CollectiveContender contender = Make(label);
        selector->Pin(label, pair.algorithm, pair.protocol);
        if (contest.IsComparison() && !CanCompete(contender, *selector, calls))
        {
            if (isNamed)
            {
                Refuse(label, *selector, calls);
            }
            m_leftOut.push_back(label);
            continue;
        }
        Add(std::move(contender));
    }
    if (m_all.empty())
    {
        Refuse("", *costs, calls);
        if (contest.algorithms.size() == 1)
        {
            selector->Pin("", FindAlgorithms(contest.algorithms, calls).front());
            Refuse("", *selector, calls);
        }
        Refuse(m_leftOut.front(), *selector, calls);
        TextValue("command line", "--collective", m_test.name)
            .Fail("an operation that can be done with kernels whose costs are known");
    }
    m_engine->SetSelector(selector);
}

std::vector<CollectiveContenders::Pair>
CollectiveContenders::FindPairs(const CollectiveContest& contest,
                                const std::vector<CollectiveCall>& calls) const
{
    std::vector<std::optional<TypeId>> algorithms{std::nullopt};
    if (contest.isOfAlgorithms || !contest.algorithms.empty())
    {
        const std::vector<TypeId> types = FindAlgorithms(contest.algorithms, calls);
        algorithms.assign(types.begin(), types.end());
    }
    std::vector<std::string> protocols{""};
    if (contest.isOfProtocols)
    {
        protocols = contest.protocols.empty() ? NcclNames::GetProtocols() : contest.protocols;
    }
    std::vector<Pair> pairs;
    for (const std::optional<TypeId>& algorithm : algorithms)
    {
        for (const std::string& protocol : protocols)
        {
            pairs.push_back({algorithm, protocol});
        }
    }
    return pairs;
}

std::vector<TypeId>
CollectiveContenders::FindAlgorithms(const std::vector<std::string>& names,
                                     const std::vector<CollectiveCall>& calls) const
{
    const CollectiveAlgorithmCatalogue catalogue(m_test.kind);
    const std::vector<TypeId> able = FindAble(calls);
    std::vector<TypeId> chosen;
    for (const std::string& name : names)
    {
        const TextValue text("command line", "--algorithm", name);
        const TypeId type = catalogue.Find(text, able);
        if (std::find(chosen.begin(), chosen.end(), type) != chosen.end())
        {
            text.Fail("each only once");
        }
        chosen.push_back(type);
    }
    if (names.empty() && able.empty())
    {
        TextValue("command line", "--collective", m_test.name)
            .Fail("an operation that some algorithm can do on " + std::to_string(m_ranks) +
                  " GPUs of " + m_topology.source);
    }
    return names.empty() ? able : chosen;
}

bool
CollectiveContenders::CanCompete(const CollectiveContender& contender,
                                 CollectiveSelector& selector,
                                 const std::vector<CollectiveCall>& calls) const
{
    return std::any_of(calls.begin(), calls.end(), [&](const CollectiveCall& call) {
        const CollectiveRequest request = m_engine->MakeRequest(contender.groups.front(), call);
        return request.IsEmpty() || selector.Select(request).algorithm;
    });
}

void
CollectiveContenders::Refuse(const std::string& parallel,
                             CollectiveSelector& selector,
                             const std::vector<CollectiveCall>& calls) const
{
    for (const CollectiveCall& call : calls)
    {
        CollectiveRequest request = m_engine->MakeRequest(Make("").groups.front(), call);
        request.parallel = parallel;
        const CollectiveRefusal why =
            request.IsEmpty() ? CollectiveRefusal() : selector.Explain(request);
        if (!why.option.empty())
        {
            throw ConfigError("command line",
                              "--" + why.option,
                              why.value,
                              why.expected + " for " + m_test.name + " of " +
                                  std::to_string(call.bytes) + " bytes on " +
                                  std::to_string(m_ranks) + " GPUs");
        }
    }
}

std::string
CollectiveContenders::GetLabel(const std::string& typeName) const
{
    return CollectiveAlgorithmCatalogue(m_test.kind).GetLabel(typeName);
}

std::vector<std::vector<uint32_t>>
CollectiveContenders::ListGroups() const
{
    std::vector<std::vector<uint32_t>> groups;
    for (uint32_t rank = 0; rank < m_ranks && m_ranks > 1 && m_test.isBetweenNeighbours; rank++)
    {
        groups.push_back({rank, (rank + 1) % m_ranks});
    }
    for (uint32_t distance = 1; distance < m_ranks && m_test.isHypercube; distance *= 2)
    {
        for (uint32_t rank = 0; rank < m_ranks; rank++)
        {
            groups.push_back({rank, rank ^ distance});
        }
    }
    if (groups.empty())
    {
        groups.emplace_back(m_ranks);
        std::iota(groups.back().begin(), groups.back().end(), 0);
    }
    return groups;
}

CollectiveContender
CollectiveContenders::Make(const std::string& label) const
{
    const std::string parallel = label.empty() ? "all" : label;
    CollectiveContender contender;
    contender.label = label;
    const CollectiveGroupMaker maker(m_topology);
    const std::vector<std::vector<uint32_t>> groups = ListGroups();
    for (std::size_t i = 0; i < groups.size(); i++)
    {
        const std::string name = groups.size() == 1 ? parallel : parallel + " " + std::to_string(i);
        contender.groups.push_back(maker.Make(name, parallel, groups[i]));
        contender.groups.back().firstChannel = m_all.size() * CollectiveTag::MAX_CHANNELS;
    }
    return contender;
}

void
CollectiveContenders::Add(CollectiveContender contender)
{
    for (const CollectiveGroup& group : contender.groups)
    {
        contender.numbers.push_back(m_engine->AddGroup(group));
    }
    m_all.push_back(std::move(contender));
}

std::vector<TypeId>
CollectiveContenders::FindAble(const std::vector<CollectiveCall>& calls) const
{
    const CollectiveGroup group = Make("").groups.front();
    std::vector<TypeId> able;
    for (const TypeId& type : CollectiveAlgorithmCatalogue(m_test.kind).GetTypes())
    {
        ObjectFactory factory;
        factory.SetTypeId(type);
        const auto algorithm = factory.Create<CollectiveAlgorithm>();
        if (std::any_of(calls.begin(), calls.end(), [&](const CollectiveCall& call) {
                return algorithm->Supports(m_engine->MakeRequest(group, call));
            }))
        {
            able.push_back(type);
        }
    }
    return able;
}

} // namespace ns3
