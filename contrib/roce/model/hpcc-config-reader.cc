/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-config-reader.h"

#include "hpcc-config-keys.h"

#include "ns3/config-error.h"
#include "ns3/text-scanner.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

constexpr uint64_t KILOBYTE = 1000; //!< bytes in the unit of KMIN_MAP and KMAX_MAP
constexpr uint64_t CELL = 1030;     //!< bytes in the unit of KMIN and KMAX (ns3-rdma's switch)

/**
 * \param values a key with its values
 * \param overruled see ReadHpccConfig()
 * \param draft gets them
 */
void
Apply(const HpccConfigValues& values,
      const std::vector<std::string>& overruled,
      HpccConfigDraft& draft)
{
    const HpccConfigKey* known = FindHpccConfigKey(values.GetKey());
    const std::string attribute = known ? std::string("ns3::") + known->effect : "";
    const bool isOverruled =
        std::find(overruled.begin(), overruled.end(), attribute) != overruled.end();
    if (known && known->set && !isOverruled)
    {
        known->set(draft, values);
    }
    if (known && known->read)
    {
        draft.config.constants.push_back(
            {values.GetKey(), known->attribute, known->read(values)});
    }
    HpccKeyUse use;
    use.key = values.GetKey();
    use.value = values.GetText();
    use.line = values.GetLine().GetNumber();
    if (known)
    {
        use.effect = std::string(known->effect) + known->attribute;
        use.reason = isOverruled ? "--set of " + attribute + " is given" : known->reason;
    }
    else
    {
        use.reason = "unknown key";
    }
    draft.config.keys.push_back(use);
}

/**
 * Requires that every rate of a map is in another.
 * \param config where errors say to be
 * \param map a map
 * \param other the other
 * \param otherKey its key
 */
void
RequireSameRates(const HpccConfig& config,
                 const HpccConfigDraft::RateMap& map,
                 const HpccConfigDraft::RateMap& other,
                 const char* otherKey)
{
    for (const auto& [rate, value] : map.map)
    {
        if (other.map.count(rate) == 0)
        {
            throw ConfigError(config.source,
                              map.line,
                              std::to_string(rate),
                              std::string("a rate that ") + otherKey + " has too");
        }
    }
}

/** \param draft its maps become thresholds by rate */
void
MergeMaps(HpccConfigDraft& draft)
{
    HpccConfig& config = draft.config;
    RequireSameRates(config, draft.kmin, draft.kmax, "KMAX_MAP");
    RequireSameRates(config, draft.kmin, draft.pmax, "PMAX_MAP");
    RequireSameRates(config, draft.kmax, draft.kmin, "KMIN_MAP");
    RequireSameRates(config, draft.pmax, draft.kmin, "KMIN_MAP");
    for (const auto& [rate, kmin] : draft.kmin.map)
    {
        const double kmax = draft.kmax.map.at(rate);
        if (kmin > kmax)
        {
            throw ConfigError(config.source,
                              draft.kmin.line,
                              std::to_string(static_cast<uint64_t>(kmin)),
                              "at most the value of KMAX_MAP for " + std::to_string(rate) + ", " +
                                  std::to_string(static_cast<uint64_t>(kmax)));
        }
        config.thresholds[rate] = {static_cast<uint64_t>(kmin) * KILOBYTE,
                                   static_cast<uint64_t>(kmax) * KILOBYTE,
                                   draft.pmax.map.at(rate)};
    }
}

/** \param draft its KMIN, KMAX and PMAX become thresholds for every rate */
void
MergeFlat(HpccConfigDraft& draft)
{
    const bool any = draft.flatKmin || draft.flatKmax || draft.flatPmax;
    const bool all = draft.flatKmin && draft.flatKmax && draft.flatPmax;
    if (any && (!all || *draft.flatKmin > *draft.flatKmax))
    {
        throw ConfigError(draft.config.source,
                          "KMIN, KMAX, PMAX",
                          all ? std::to_string(*draft.flatKmin) : "only some of them",
                          "all three, with KMIN at most KMAX");
    }
    if (all)
    {
        draft.config.flatThresholds =
            EcnThresholds{*draft.flatKmin * CELL, *draft.flatKmax * CELL, *draft.flatPmax};
    }
}

} // namespace

HpccConfig
ReadHpccConfig(const TextFile& file, const std::vector<std::string>& overruled)
{
    HpccConfigDraft draft;
    draft.config.source = file.GetName();
    std::map<std::string, uint64_t> lines; // by key
    for (std::size_t i = file.FindText(0); i < file.GetLineCount(); i = file.FindText(i + 1))
    {
        const TextLine line = file.GetLine(i);
        if (HpccConfigValues::IsComment(line.GetWord(0)))
        {
            continue;
        }
        const HpccConfigValues values(line);
        const auto [previous, isNew] = lines.emplace(values.GetKey(), line.GetNumber());
        if (!isNew)
        {
            line.Fail("each key once: " + values.GetKey() + " stands in line " +
                      std::to_string(previous->second) + " too");
        }
        Apply(values, overruled, draft);
    }
    MergeMaps(draft);
    MergeFlat(draft);
    return draft.config;
}

HpccConfig
ReadHpccConfig(const std::string& path, const std::vector<std::string>& overruled)
{
    return ReadHpccConfig(TextFile(path), overruled);
}

} // namespace ns3
