/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-tuner-file.h"

#include "nccl-names.h"

#include "ns3/comma-list.h"
#include "ns3/text-scanner.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr std::size_t LEAST_FIELDS = 8; //!< of a line
constexpr std::size_t MOST_FIELDS = 10; //!< of a line

/** \param text some text \return it without blanks at its ends */
std::string_view
Trim(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

} // namespace

NcclTunerFile::NcclTunerFile(const std::string& path)
{
    const TextFile file(path);
    for (std::size_t i = file.FindText(0); i < file.GetLineCount(); i = file.FindText(i + 1))
    {
        const TextLine line = file.GetLine(i);
        if (line.GetText().front() == '#')
        {
            continue;
        }
        const std::vector<std::string_view> fields = SplitList(line.GetText());
        if (fields.size() < LEAST_FIELDS || fields.size() > MOST_FIELDS)
        {
            line.Fail("collective,minBytes,maxBytes,algorithm,protocol,channels,nodes,ranks and "
                      "perhaps ,pipeOps,regBuff");
        }
        const auto get = [&](std::size_t field) {
            return TextValue(file.GetName(), line.GetNumber(), Trim(fields[field]));
        };
        constexpr int64_t most = std::numeric_limits<int32_t>::max();
        const int64_t channels = get(5).GetInt("channels", -1, most);
        Rule rule{NcclNames::FindKind(get(0)),
                  get(1).GetUint("minBytes"),
                  get(2).GetUint("maxBytes"),
                  get(6).GetInt("nodes", -1, most),
                  get(7).GetInt("ranks", -1, most),
                  {NcclNames::FindAlgorithm(get(3)),
                   NcclNames::FindProtocol(get(4)),
                   static_cast<uint32_t>(std::max<int64_t>(channels, 0))}};
        for (std::size_t field : {std::size_t{8}, std::size_t{9}})
        {
            if (field < fields.size())
            {
                get(field).GetInt("number", -1, most);
            }
        }
        m_rules.push_back(rule);
    }
}

std::optional<NcclChoice>
NcclTunerFile::Find(const CollectiveRequest& request) const
{
    const int64_t ranks = request.GetGroupSize();
    const int64_t nodes = request.GetServerCount();
    for (const Rule& rule : m_rules)
    {
        if (rule.kind == request.kind && rule.minBytes <= request.bytes &&
            request.bytes <= rule.maxBytes && (rule.nodes < 0 || rule.nodes == nodes) &&
            (rule.ranks < 0 || rule.ranks == ranks))
        {
            return rule.choice;
        }
    }
    return std::nullopt;
}

} // namespace ns3
