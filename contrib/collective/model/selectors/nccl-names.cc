/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-names.h"

#include "ns3/comma-list.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <utility>

namespace ns3
{

namespace
{

/** \brief What NCCL calls an algorithm, and what it is here. */
struct Named
{
    const char* nccl;  //!< NCCL's name
    const char* label; //!< label among algorithms for the same kind, empty: not offered
};

/** The algorithms; Tree is NCCL's pair of trees. */
constexpr Named ALGORITHMS[] = {{"Ring", "Ring"},
                                {"Tree", "DoubleBinaryTree"},
                                {"NVLS", "Nvls"},
                                {"NVLSTree", "NvlsTree"},
                                {"CollNetDirect", "CollnetDirect"},
                                {"CollNetChain", "CollnetChain"},
                                {"PAT", ""},
                                {"MSCCL", "Msccl"}};

/** What NCCL does not offer but its kernels could do: label, and NCCL's name of the kernels. */
constexpr Named OTHERS[] = {{"Tree", "Tree"}};

/** NCCL's names of collectives that have algorithms. */
constexpr std::pair<const char*, CollectiveKind> KINDS[] = {
    {"AllReduce", CollectiveKind::ALL_REDUCE},
    {"AllGather", CollectiveKind::ALL_GATHER},
    {"ReduceScatter", CollectiveKind::REDUCE_SCATTER},
    {"Broadcast", CollectiveKind::BROADCAST},
    {"Reduce", CollectiveKind::REDUCE},
};

/**
 * \param name a name
 * \param known all names
 * \return the place of the one that is meant; a ConfigError lists all
 */
std::size_t
Find(const TextValue& name, const std::vector<std::string>& known)
{
    const auto found = std::find_if(known.begin(), known.end(), [&](const std::string& each) {
        return boost::iequals(each, name.GetText());
    });
    if (found == known.end())
    {
        name.Fail("one of " + JoinList(known));
    }
    return found - known.begin();
}

/**
 * \param offeredOnly leave out those that are not offered
 * \return NCCL's names of algorithms
 */
std::vector<std::string>
ListAlgorithms(bool offeredOnly)
{
    std::vector<std::string> all;
    for (const Named& algorithm : ALGORITHMS)
    {
        if (!offeredOnly || *algorithm.label != '\0')
        {
            all.emplace_back(algorithm.nccl);
        }
    }
    return all;
}

} // namespace

const std::vector<std::string>&
NcclNames::GetAlgorithms()
{
    static const std::vector<std::string> names = ListAlgorithms(true);
    return names;
}

const std::vector<std::string>&
NcclNames::GetKnownAlgorithms()
{
    static const std::vector<std::string> names = ListAlgorithms(false);
    return names;
}

const std::vector<std::string>&
NcclNames::GetProtocols()
{
    static const std::vector<std::string> names{"LL", "LL128", "Simple"};
    return names;
}

std::string
NcclNames::GetLabel(const std::string& algorithm)
{
    const auto* const found =
        std::find_if(std::begin(ALGORITHMS), std::end(ALGORITHMS), [&](const Named& named) {
            return named.nccl == algorithm;
        });
    return found == std::end(ALGORITHMS) ? "" : found->label;
}

std::string
NcclNames::GetKernels(const std::string& label)
{
    for (const Named& named : ALGORITHMS)
    {
        if (!label.empty() && named.label == label)
        {
            return named.nccl;
        }
    }
    for (const Named& named : OTHERS)
    {
        if (named.label == label)
        {
            return named.nccl;
        }
    }
    return "";
}

std::string
NcclNames::FindAlgorithm(const TextValue& name)
{
    return GetKnownAlgorithms()[Find(name, GetKnownAlgorithms())];
}

std::string
NcclNames::FindProtocol(const TextValue& name)
{
    return GetProtocols()[Find(name, GetProtocols())];
}

CollectiveKind
NcclNames::FindKind(const TextValue& name)
{
    std::vector<std::string> names;
    for (const auto& [text, kind] : KINDS)
    {
        names.emplace_back(text);
    }
    return KINDS[Find(name, names)].second;
}

bool
NcclNames::HasAlgorithms(CollectiveKind kind)
{
    return std::any_of(std::begin(KINDS), std::end(KINDS), [kind](const auto& each) {
        return each.second == kind;
    });
}

} // namespace ns3
