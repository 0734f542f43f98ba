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

/** \param config a configuration \return the TypeId that its CC_MODE stands for */
TypeId
FindCongestionControl(const HpccConfig& config)
{
    const uint32_t wanted = config.ccMode.value_or(CC_MODES[0].mode);
    std::string available;
    for (const CcMode& mode : CC_MODES)
    {
        if (IsAvailable(mode))
        {
            if (mode.mode == wanted)
            {
                return TypeId::LookupByName(mode.name);
            }
            available += (available.empty() ? "" : ", ") + std::to_string(mode.mode) + " (" +
                         mode.name + ")";
        }
    }
    throw ConfigError(config.source,
                      "CC_MODE",
                      std::to_string(wanted),
                      "a congestion control that is there: " + available);
}

/**
 * Sets an attribute if the class has it and the file says it.
 * \param factory of the class
 * \param name the attribute
 * \param value what the file says
 * \tparam Attribute the attribute's value class
 */
template <typename Attribute, typename T>
void
SetIfThere(ObjectFactory& factory, const std::string& name, const std::optional<T>& value)
{
    TypeId::AttributeInformation ignored;
    if (value && factory.GetTypeId().LookupAttributeByName(name, &ignored))
    {
        factory.Set(name, Attribute(*value));
    }
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

ObjectFactory
MakeCongestionControlFactory(const HpccConfig& config)
{
    ObjectFactory factory;
    factory.SetTypeId(FindCongestionControl(config));
    SetIfThere<TimeValue>(factory, "AlphaTimer", config.alphaTimer);
    SetIfThere<TimeValue>(factory, "IncreaseTimer", config.increaseTimer);
    SetIfThere<TimeValue>(factory, "MinimumDecreaseInterval", config.decreaseInterval);
    SetIfThere<UintegerValue>(factory, "ByteCounter", config.byteCounter);
    SetIfThere<UintegerValue>(factory, "FastRecoveryStages", config.fastRecoveryStages);
    SetIfThere<DoubleValue>(factory, "AlphaGain", config.gain);
    SetIfThere<DataRateValue>(factory, "AdditiveIncrease", config.additiveIncrease);
    SetIfThere<DataRateValue>(factory, "HyperIncrease", config.hyperIncrease);
    SetIfThere<DataRateValue>(factory, "MinRate", config.minRate);
    return factory;
}

} // namespace ns3
