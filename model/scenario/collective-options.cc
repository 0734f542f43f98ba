/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-options.h"

#include "nccl-variables.h"

#include "ns3/attribute-text.h"
#include "ns3/collective-selector.h"
#include "ns3/comma-list.h"
#include "ns3/nccl-names.h"
#include "ns3/nccl-selector.h"
#include "ns3/string.h"
#include "ns3/type-catalogue.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

/** Variables of NCCL that have no effect: what they set is not modelled. */
constexpr const char* WITHOUT_EFFECT[] = {"NCCL_NTHREADS",
                                          "NCCL_LL128_NTHREADS",
                                          "NCCL_MIN_P2P_NCHANNELS",
                                          "NCCL_MAX_P2P_NCHANNELS"};

} // namespace

void
CollectiveOptions::AddCollectives()
{
    Add("selector",
        "who chooses algorithms and protocols: " +
            TypeCatalogue(CollectiveSelector::GetTypeId()).DescribeNames(),
        "FirstFit");
    Add("protocol",
        "protocol of NCCL: " + JoinList(NcclNames::GetProtocols()) +
            "; empty: any. Like all options of NCCL it chooses Nccl and lets kernels cost time; "
            "what several of them leave is what there is to choose from");
    for (const NcclVariables::Description& variable : NcclVariables::GetAll())
    {
        Add(variable.name, variable.help);
    }
    for (const char* const name : WITHOUT_EFFECT)
    {
        Add(name, "has no effect, and the run says so");
    }
}

std::vector<std::string>
CollectiveOptions::ReadProtocols() const
{
    std::vector<std::string> protocols;
    if (!IsGiven("protocol"))
    {
        return protocols;
    }
    for (const std::string_view word : SplitList(Get("protocol")))
    {
        const TextValue text("command line", "--protocol", word);
        protocols.push_back(NcclNames::FindProtocol(text));
        if (std::find(protocols.begin(), protocols.end(), protocols.back()) != protocols.end() - 1)
        {
            text.Fail("each only once");
        }
    }
    if (protocols.empty() || (protocols.size() > 1 && !ComparesProtocols()))
    {
        GetValue("protocol")
            .Fail("one of " + JoinList(NcclNames::GetProtocols()) +
                  ", or several with --compare=protocol");
    }
    return protocols;
}

bool
CollectiveOptions::ComparesProtocols() const
{
    return false;
}

void
CollectiveOptions::ApplySelector(bool wantsNccl, ScopedDefaults& defaults) const
{
    if (!IsGiven("selector") && !wantsNccl)
    {
        return;
    }
    const TypeId nccl = NcclSelector::GetTypeId();
    const TypeId selector =
        IsGiven("selector")
            ? TypeCatalogue(CollectiveSelector::GetTypeId()).Find(GetValue("selector"))
            : nccl;
    if (wantsNccl && selector != nccl)
    {
        GetValue("selector")
            .Fail("Nccl beside protocols and options that are named like variables of NCCL");
    }
    defaults.Set("ns3::CollectiveEngine::Selector", TypeIdValue(selector));
}

std::vector<std::string>
CollectiveOptions::ApplyCollectives(ScopedDefaults& defaults) const
{
    NcclVariables variables;
    for (const NcclVariables::Description& variable : NcclVariables::GetAll())
    {
        if (IsGiven(variable.name))
        {
            variables.Add(variable.name, GetValue(variable.name));
        }
    }
    std::map<std::string, std::string> given; // by attribute of --set
    for (const std::string& attribute : GetGivenAttributes())
    {
        given[attribute] = AttributeText::GetDefaultOf(attribute);
    }
    ApplySelector(variables.WantsNccl() || IsGiven("protocol") || ComparesProtocols(), defaults);
    variables.Apply(defaults);
    const std::vector<std::string> protocols = ReadProtocols();
    if (protocols.size() == 1)
    {
        defaults.Set("ns3::NcclSelector::Protocol", StringValue(protocols.front()));
    }
    for (const auto& [attribute, value] : given)
    {
        if (AttributeText::GetDefaultOf(attribute) != value)
        {
            RefuseAttribute(attribute, "this or an option that sets it, not both");
        }
    }
    std::vector<std::string> notes;
    for (const char* const name : WITHOUT_EFFECT)
    {
        if (IsGiven(name))
        {
            notes.push_back(std::string(name) + " has no effect: it sets what is not modelled");
        }
    }
    return notes;
}

} // namespace ns3
