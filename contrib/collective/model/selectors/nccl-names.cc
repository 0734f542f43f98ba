/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-names.h"

#include "ns3/comma-list.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>

namespace ns3
{

namespace
{

/** \brief What NCCL calls an algorithm, and what it is here. */
struct Named
{
    const char* nccl;  //!< NCCL's name
    const char* label; //!< label among algorithms for the same kind
};

/** The algorithms; Tree is NCCL's pair of trees. */
constexpr Named ALGORITHMS[] = {{"Ring", "Ring"},
                                {"Tree", "DoubleBinaryTree"},
                                {"NVLS", "Nvls"},
                                {"NVLSTree", "NvlsTree"}};

/**
 * \param name a name
 * \param known all names
 * \return the one that is meant; a ConfigError lists all
 */
std::string
Find(const TextValue& name, const std::vector<std::string>& known)
{
    const std::string wanted = boost::to_lower_copy(std::string(name.GetText()));
    std::string list;
    for (const std::string& each : known)
    {
        if (boost::to_lower_copy(each) == wanted)
        {
            return each;
        }
        list += (list.empty() ? "" : ", ") + each;
    }
    name.Fail("one of " + list);
}

} // namespace

const std::vector<std::string>&
NcclNames::GetAlgorithms()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Named& algorithm : ALGORITHMS)
        {
            all.emplace_back(algorithm.nccl);
        }
        return all;
    }();
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
NcclNames::FindAlgorithm(const TextValue& name)
{
    return Find(name, GetAlgorithms());
}

std::string
NcclNames::FindProtocol(const TextValue& name)
{
    return Find(name, GetProtocols());
}

std::vector<std::string>
NcclNames::Filter(const TextValue& list, const std::vector<std::string>& known)
{
    std::string_view text = list.GetText();
    const bool excludes = !text.empty() && text.front() == '^';
    text.remove_prefix(excludes ? 1 : 0);
    std::vector<std::string> named;
    for (const std::string_view word : SplitList(text))
    {
        named.push_back(Find(TextValue(list.GetSource(), list.GetPlace(), word), known));
    }
    std::vector<std::string> allowed;
    for (const std::string& each : known)
    {
        const bool isNamed = std::find(named.begin(), named.end(), each) != named.end();
        if (named.empty() || isNamed != excludes)
        {
            allowed.push_back(each);
        }
    }
    return allowed;
}

} // namespace ns3
