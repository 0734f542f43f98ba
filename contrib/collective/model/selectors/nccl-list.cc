/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-list.h"

#include "nccl-names.h"

#include "ns3/comma-list.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>

namespace ns3
{

NcclList::NcclList(const TextValue& text, const std::vector<std::string>& known)
{
    bool isFirst = true;
    for (const std::string_view entry : SplitList(text.GetText(), ';'))
    {
        const std::size_t colon = entry.find(':');
        if (entry.empty())
        {
            continue;
        }
        if (colon != std::string_view::npos)
        {
            const TextValue prefix(text.GetSource(), text.GetPlace(), entry.substr(0, colon));
            m_byKind[NcclNames::FindKind(prefix)] = Read(text, entry.substr(colon + 1), known);
        }
        else if (isFirst)
        {
            m_all = Read(text, entry, known);
        }
        else
        {
            text.Fail("a collective and a colon before each list but the first, such as "
                      "Ring;allreduce:Tree");
        }
        isFirst = false;
    }
}

NcclList::Names
NcclList::Read(const TextValue& text, std::string_view list, const std::vector<std::string>& known)
{
    Names read;
    read.excludes = !list.empty() && list.front() == '^';
    list.remove_prefix(read.excludes ? 1 : 0);
    for (const std::string_view word : SplitList(list))
    {
        const auto found = std::find_if(known.begin(), known.end(), [&](const std::string& each) {
            return boost::iequals(each, word);
        });
        if (found != known.end())
        {
            read.names.insert(*found);
        }
        else if (!word.empty())
        {
            TextValue(text.GetSource(), text.GetPlace(), word)
                .Fail("one of " + JoinList(known) +
                      (word == text.GetText() ? std::string()
                                              : " in '" + std::string(text.GetText()) + "'"));
        }
    }
    return read;
}

bool
NcclList::Allows(CollectiveKind kind, const std::string& name) const
{
    if (!NcclNames::HasAlgorithms(kind))
    {
        return true;
    }
    const auto own = m_byKind.find(kind);
    const Names& list = own == m_byKind.end() ? m_all : own->second;
    return (list.names.count(name) > 0) != list.excludes;
}

bool
NcclList::Excludes(const std::string& name) const
{
    return m_all.excludes && m_all.names.count(name) > 0;
}

} // namespace ns3
