/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-contenders.h"

#include "ns3/collective-algorithm-catalogue.h"
#include "ns3/collective-helper.h"
#include "ns3/collective-tag.h"
#include "ns3/object-factory.h"
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
CollectiveContenders::UseSelector()
{
    Add(Make(""));
}

void
CollectiveContenders::UseAlgorithms(const std::vector<std::string>& names,
                                    const std::vector<CollectiveCall>& calls)
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
    const auto selector = CreateObject<PinnedSelector>();
    for (const TypeId& type : names.empty() ? able : chosen)
    {
        CollectiveContender contender = Make(catalogue.GetLabel(type));
        selector->Pin(contender.groups.front().parallel, type);
        Add(std::move(contender));
    }
    m_engine->SetSelector(selector);
}

std::string
CollectiveContenders::GetLabel(const std::string& typeName) const
{
    return CollectiveAlgorithmCatalogue(m_test.kind).GetLabel(typeName);
}

CollectiveContender
CollectiveContenders::Make(const std::string& label) const
{
    const std::string parallel = label.empty() ? "all" : label;
    CollectiveContender contender;
    contender.label = label;
    const uint32_t count = m_test.isBetweenNeighbours && m_ranks > 1 ? m_ranks : 1;
    for (uint32_t i = 0; i < count; i++)
    {
        std::vector<uint32_t> ranks{i, (i + 1) % m_ranks};
        if (count == 1)
        {
            ranks.resize(m_ranks);
            std::iota(ranks.begin(), ranks.end(), 0);
        }
        const std::string name = count == 1 ? parallel : parallel + " " + std::to_string(i);
        contender.groups.push_back(CollectiveHelper::MakeGroup(m_topology, name, parallel, ranks));
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
