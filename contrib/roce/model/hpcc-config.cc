/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-config.h"

#include "ns3/config-error.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace ns3
{

namespace
{

/** A value of CC_MODE and the congestion control behind it. */
struct CcMode
{
    uint32_t mode;    //!< the value
    const char* name; //!< the TypeId
};

/** The modes of the family. No code of ASTRA-sim's answers to its 12: queues send at line rate. */
constexpr CcMode CC_MODES[] = {
    {1, "ns3::DcqcnCongestionControl"},
    {3, "ns3::HpccCongestionControl"},
    {7, "ns3::TimelyCongestionControl"},
    {8, "ns3::DctcpCongestionControl"},
    {10, "ns3::HpccPintCongestionControl"},
    {12, "ns3::NoCongestionControl"},
};

/** \param mode a mode \return whether this build has its congestion control */
bool
IsAvailable(const CcMode& mode)
{
    TypeId tid;
    return TypeId::LookupByNameFailSafe(mode.name, &tid);
}

/** \param config a configuration whose CC_MODE will not do */
[[noreturn]] void
RefuseMode(const HpccConfig& config)
{
    std::string available;
    for (const CcMode& mode : CC_MODES)
    {
        if (IsAvailable(mode))
        {
            available += (available.empty() ? "" : ", ") + std::to_string(mode.mode) + " (" +
                         mode.name + ")";
        }
    }
    throw ConfigError(config.source,
                      "CC_MODE",
                      std::to_string(config.ccMode.value_or(CC_MODES[0].mode)),
                      "a congestion control that is there: " + available);
}

/** A constant of a congestion control. */
struct Constant
{
    const char* key;       //!< its key in the file
    const char* attribute; //!< the attribute that it sets, nullptr: none as yet
    /** \return its value, null if the file does not have it */
    Ptr<AttributeValue> (*get)(const HpccConfig& config);
};

/**
 * \param config a configuration
 * \return a member's value, null if it has none
 * \tparam Value class of the value
 * \tparam Member the member
 */
template <typename Value, auto Member>
Ptr<AttributeValue>
GetConstant(const HpccConfig& config)
{
    return config.*Member ? Create<Value>(*(config.*Member)) : nullptr;
}

using C = HpccConfig; //!< short in the table

/** The constants of all congestion controls. */
constexpr Constant CONSTANTS[] = {
    {"ALPHA_RESUME_INTERVAL", "AlphaTimer", GetConstant<TimeValue, &C::alphaTimer>},
    {"RP_TIMER", "IncreaseTimer", GetConstant<TimeValue, &C::increaseTimer>},
    {"RATE_DECREASE_INTERVAL",
     "MinimumDecreaseInterval",
     GetConstant<TimeValue, &C::decreaseInterval>},
    {"BYTE_COUNTER", "ByteCounter", GetConstant<UintegerValue, &C::byteCounter>},
    {"FAST_RECOVERY_TIMES",
     "FastRecoveryStages",
     GetConstant<UintegerValue, &C::fastRecoveryStages>},
    {"EWMA_GAIN", "AlphaGain", GetConstant<DoubleValue, &C::gain>},
    {"RATE_AI", "AdditiveIncrease", GetConstant<DataRateValue, &C::additiveIncrease>},
    {"RATE_HAI", "HyperIncrease", GetConstant<DataRateValue, &C::hyperIncrease>},
    {"MIN_RATE", "MinRate", GetConstant<DataRateValue, &C::minRate>},
    {"DCTCP_RATE_AI", nullptr, GetConstant<DataRateValue, &C::dctcpIncrease>},
    {"U_TARGET", nullptr, GetConstant<DoubleValue, &C::targetUtilization>},
    {"MI_THRESH", nullptr, GetConstant<UintegerValue, &C::maxStage>},
};

/** \param constant a constant \param type a congestion control \return whether it has it */
bool
HasConstant(const Constant& constant, TypeId type)
{
    TypeId::AttributeInformation ignored;
    return constant.attribute && type.LookupAttributeByName(constant.attribute, &ignored);
}

} // namespace

EcnThresholds
ThresholdsFor(DataRate rate, const HpccConfig& config, bool& scaled)
{
    const auto found = config.thresholds.find(rate.GetBitRate());
    scaled = found == config.thresholds.end() && !config.flatThresholds;
    return scaled                             ? EcnThresholds::ScaleByRate(rate)
           : found != config.thresholds.end() ? found->second
                                              : *config.flatThresholds;
}

std::string
DescribeScaledThresholds(DataRate rate, const HpccConfig& config)
{
    const EcnThresholds thresholds = EcnThresholds::ScaleByRate(rate);
    std::ostringstream text;
    text << config.source << ": KMIN_MAP, KMAX_MAP and PMAX_MAP have no entry for "
         << static_cast<double>(rate.GetBitRate()) / 1e9 << " Gbps: scaled by rate to Kmin "
         << static_cast<double>(thresholds.kminBytes) / 1e3 << " KB, Kmax "
         << static_cast<double>(thresholds.kmaxBytes) / 1e3 << " KB, Pmax " << thresholds.pmax;
    return text.str();
}

std::string
GetCongestionControlName(const HpccConfig& config)
{
    const uint32_t wanted = config.ccMode.value_or(CC_MODES[0].mode);
    for (const CcMode& mode : CC_MODES)
    {
        if (mode.mode == wanted)
        {
            return mode.name;
        }
    }
    RefuseMode(config);
}

ObjectFactory
MakeCongestionControlFactory(const HpccConfig& config)
{
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(GetCongestionControlName(config), &type))
    {
        RefuseMode(config);
    }
    return MakeCongestionControlFactory(config, type);
}

ObjectFactory
MakeCongestionControlFactory(const HpccConfig& config, TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    for (const Constant& constant : CONSTANTS)
    {
        const Ptr<AttributeValue> value = constant.get(config);
        if (value && HasConstant(constant, type))
        {
            factory.Set(constant.attribute, *value);
        }
    }
    return factory;
}

std::vector<std::string>
GetUnusedConstants(const HpccConfig& config, TypeId type)
{
    std::vector<std::string> keys;
    for (const Constant& constant : CONSTANTS)
    {
        if (constant.get(config) && !HasConstant(constant, type))
        {
            keys.emplace_back(constant.key);
        }
    }
    return keys;
}

} // namespace ns3
