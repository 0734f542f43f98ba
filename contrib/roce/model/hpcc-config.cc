/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-config.h"

#include "ns3/attribute-kind.h"
#include "ns3/comma-list.h"
#include "ns3/config-error.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/** A value of a key such as CC_MODE and the class behind it. */
struct Mode
{
    uint32_t mode;    //!< the value
    const char* name; //!< the TypeId
};

/**
 * The congestion controls of the family. No code of ASTRA-sim's answers to its 12: queues send at
 * line rate.
 */
const std::vector<Mode> CC_MODES{
    {1, "ns3::DcqcnCongestionControl"},
    {3, "ns3::HpccCongestionControl"},
    {7, "ns3::TimelyCongestionControl"},
    {8, "ns3::DctcpCongestionControl"},
    {10, "ns3::HpccPintCongestionControl"},
    {12, "ns3::NoCongestionControl"},
};

/** The load balancers of ConWeave. */
const std::vector<Mode> LB_MODES{
    {0, "ns3::EcmpLoadBalancer"},
    {2, "ns3::DrillLoadBalancer"},
    {3, "ns3::CongaLoadBalancer"},
    {6, "ns3::FlowletLoadBalancer"},
    {9, "ns3::ConweaveLoadBalancer"},
};

/** \param mode a mode \return whether this build has its class */
bool
IsAvailable(const Mode& mode)
{
    TypeId tid;
    return TypeId::LookupByNameFailSafe(mode.name, &tid);
}

/**
 * \param config a configuration
 * \param key one of its keys
 * \param wanted value of the key
 * \param modes the values that there are
 * \param instead what is expected: "a congestion control", and the option that wins over the file
 * \return the class; a ConfigError lists those that this build has
 */
TypeId
FindMode(const HpccConfig& config,
         const char* key,
         uint32_t wanted,
         const std::vector<Mode>& modes,
         const std::pair<const char*, const char*>& instead)
{
    std::string value = std::to_string(wanted);
    std::string available;
    for (const Mode& mode : modes)
    {
        const std::string text = std::to_string(mode.mode) + " (" + mode.name + ")";
        if (mode.mode == wanted)
        {
            if (IsAvailable(mode))
            {
                return TypeId::LookupByName(mode.name);
            }
            value = text;
        }
        if (IsAvailable(mode))
        {
            AppendToList(available, text);
        }
    }
    throw ConfigError(config.source,
                      key,
                      value,
                      std::string(instead.first) + " of this version: " + available + "; or " +
                          instead.second + ", which wins over the file");
}

/** \param constant a constant \param type a congestion control \return whether it has it */
bool
HasConstant(const HpccConstant& constant, TypeId type)
{
    TypeId::AttributeInformation ignored;
    return !constant.attribute.empty() &&
           type.LookupAttributeByName(constant.attribute, &ignored);
}

/**
 * \param config the configuration
 * \param constant one of its constants; a ConfigError if the congestion control does not allow it
 * \param type a congestion control that has it
 */
void
RequireAllowed(const HpccConfig& config, const HpccConstant& constant, TypeId type)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(constant.attribute, &info);
    if (info.checker->CreateValidValue(*constant.value))
    {
        return;
    }
    const auto use = std::find_if(config.keys.begin(),
                                  config.keys.end(),
                                  [&](const HpccKeyUse& key) { return key.key == constant.key; });
    const AttributeKind* kind = FindAttributeKind(info);
    throw ConfigError(config.source,
                      use->line,
                      use->value,
                      constant.key + " that attribute " + type.GetName() +
                          "::" + constant.attribute + " allows" +
                          (kind ? ", " + kind->describe(info) : ""));
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
    return MakeCongestionControlFactory(config,
                                        FindMode(config,
                                                 "CC_MODE",
                                                 config.ccMode.value_or(CC_MODES[0].mode),
                                                 CC_MODES,
                                                 {"a congestion control", "--congestionControl"}));
}

std::optional<TypeId>
GetHpccLoadBalancer(const HpccConfig& config)
{
    if (config.lbMode)
    {
        return FindMode(config,
                        "LB_MODE",
                        *config.lbMode,
                        LB_MODES,
                        {"a load balancer", "--loadBalancer"});
    }
    if (config.packetLevelEcmp.value_or(false))
    {
        return TypeId::LookupByName("ns3::SprayLoadBalancer");
    }
    return {};
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
            RequireAllowed(config, constant, type);
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
