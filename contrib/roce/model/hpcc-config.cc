/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-config.h"

#include "ns3/config-error.h"

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
    const uint32_t wanted = config.ccMode.value_or(CC_MODES[0].mode);
    std::string value = std::to_string(wanted);
    std::string available;
    for (const CcMode& mode : CC_MODES)
    {
        const std::string text = std::to_string(mode.mode) + " (" + mode.name + ")";
        if (mode.mode == wanted)
        {
            value = text;
        }
        if (IsAvailable(mode))
        {
            available += (available.empty() ? "" : ", ") + text;
        }
    }
    throw ConfigError(config.source,
                      "CC_MODE",
                      value,
                      "a congestion control of this version: " + available +
                          "; or --congestionControl, which wins over the file");
}

/** \param constant a constant \param type a congestion control \return whether it has it */
bool
HasConstant(const HpccConstant& constant, TypeId type)
{
    TypeId::AttributeInformation ignored;
    return !constant.attribute.empty() &&
           type.LookupAttributeByName(constant.attribute, &ignored);
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
    const uint32_t wanted = config.ccMode.value_or(CC_MODES[0].mode);
    for (const CcMode& mode : CC_MODES)
    {
        if (mode.mode == wanted && IsAvailable(mode))
        {
            return MakeCongestionControlFactory(config, TypeId::LookupByName(mode.name));
        }
    }
    RefuseMode(config);
}

ObjectFactory
MakeCongestionControlFactory(const HpccConfig& config, TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    for (const HpccConstant& constant : config.constants)
    {
        if (HasConstant(constant, type))
        {
            factory.Set(constant.attribute, *constant.value);
        }
    }
    return factory;
}

std::vector<std::string>
GetUnusedConstants(const HpccConfig& config, TypeId type)
{
    std::vector<std::string> keys;
    for (const HpccConstant& constant : config.constants)
    {
        if (!HasConstant(constant, type))
        {
            keys.push_back(constant.key);
        }
    }
    return keys;
}

} // namespace ns3
