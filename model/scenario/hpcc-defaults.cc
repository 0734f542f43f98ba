/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-defaults.h"

#include "ns3/attribute-text.h"
#include "ns3/boolean.h"
#include "ns3/config-error.h"
#include "ns3/go-back-n-loss-recovery.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/selective-repeat-loss-recovery.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace ns3
{

namespace
{

constexpr uint32_t MIN_PAYLOAD = 256;  //!< least payload of a full packet, bytes
constexpr uint32_t MAX_PAYLOAD = 4096; //!< InfiniBand's largest MTU, bytes

/**
 * \param name attribute of RoceSwitchDevice
 * \param value what the file says; nothing happens if it does not
 * \param defaults where it is set
 */
void
SetSwitchFlag(const std::string& name, const std::optional<bool>& value, ScopedDefaults& defaults)
{
    if (value)
    {
        defaults.Set("ns3::RoceSwitchDevice::" + name, BooleanValue(*value));
    }
}

/**
 * \param config the configuration
 * \param findings gets a warning if packets are cut down
 * \param defaults what is set
 */
void
ApplyPackets(const HpccConfig& config, HpccFindings& findings, ScopedDefaults& defaults)
{
    if (config.payloadBytes)
    {
        const uint32_t wanted = *config.payloadBytes;
        if (wanted < MIN_PAYLOAD)
        {
            throw ConfigError(config.source,
                              "PACKET_PAYLOAD_SIZE",
                              std::to_string(wanted),
                              "256 bytes or more");
        }
        const uint32_t payload = std::min(wanted, MAX_PAYLOAD);
        defaults.Set("ns3::RoceNicDevice::MtuBytes", UintegerValue(payload));
        if (payload != wanted)
        {
            findings.warnings.push_back(config.source + ": PACKET_PAYLOAD_SIZE " +
                                        std::to_string(wanted) +
                                        ": InfiniBand's largest MTU, 4096, is used instead");
        }
    }
    if (config.ackIntervalBytes)
    {
        const uint64_t packets =
            std::max<uint64_t>(1,
                               *config.ackIntervalBytes /
                                   AttributeText::GetDefaultUint("ns3::RoceNicDevice::MtuBytes"));
        defaults.Set("ns3::RoceNicDevice::AckInterval", UintegerValue(packets));
    }
    if (config.cnpInterval)
    {
        defaults.Set("ns3::RoceNicDevice::CnpInterval", TimeValue(*config.cnpInterval));
    }
}

/**
 * Makes a congestion control that of all NICs, with the constants of the file.
 * \param config the configuration
 * \param type the congestion control
 * \param findings gets the constants that it does not have
 * \param defaults what is set
 */
void
ApplyCongestionControl(const HpccConfig& config,
                       TypeId type,
                       HpccFindings& findings,
                       ScopedDefaults& defaults)
{
    defaults.Set("ns3::RoceNicDevice::CongestionControl", TypeIdValue(type));
    const auto model = MakeCongestionControlFactory(config, type).Create<RoceCongestionControl>();
    for (std::size_t i = 0; i < type.GetAttributeN(); i++)
    {
        const TypeId::AttributeInformation info = type.GetAttribute(i);
        if (info.flags & TypeId::ATTR_CONSTRUCT && info.flags & TypeId::ATTR_GET)
        {
            const Ptr<AttributeValue> value = info.checker->Create();
            model->GetAttribute(info.name, *value);
            defaults.Set(type, i, *value);
        }
    }
    for (const std::string& key : GetUnusedConstants(config, type))
    {
        findings.Ignore(key, type.GetName() + " has no such constant");
    }
}

/** \param config the configuration \param findings gets what is not modelled */
void
WarnOfOmissions(const HpccConfig& config, HpccFindings& findings)
{
    const auto warn = [&](const std::string& text) {
        findings.warnings.push_back(config.source + ": " + text);
    };
    if (config.dynamicPfcThreshold && !*config.dynamicPfcThreshold)
    {
        warn("USE_DYNAMIC_PFC_THRESHOLD 0: PFC thresholds are dynamic all the same");
    }
    if (config.backToZero && *config.backToZero)
    {
        warn("L2_BACK_TO_ZERO 1: a lost packet is not answered by a start from the first one");
    }
    if (config.ackHighPriority && *config.ackHighPriority)
    {
        warn("ACK_HIGH_PRIO 1: acknowledgements travel in the class of data all the same");
    }
}

/** \param config the configuration \param defaults what is set */
void
ApplyLossRecovery(const HpccConfig& config, ScopedDefaults& defaults)
{
    if (config.irn)
    {
        const TypeId type = *config.irn ? SelectiveRepeatLossRecovery::GetTypeId()
                                        : GoBackNLossRecovery::GetTypeId();
        defaults.Set("ns3::RoceNicDevice::LossRecovery", TypeIdValue(type));
    }
}

} // namespace

HpccFindings
ApplyHpccConfig(const HpccConfig& config,
                const std::optional<TypeId>& congestionControl,
                ScopedDefaults& defaults)
{
    HpccFindings findings(config);
    ApplyPackets(config, findings, defaults);
    const TypeId type = congestionControl ? *congestionControl
                                          : MakeCongestionControlFactory(config).GetTypeId();
    ApplyCongestionControl(config, type, findings, defaults);
    if (config.bufferBytes)
    {
        defaults.Set("ns3::RoceSwitchDevice::BufferBytes", UintegerValue(*config.bufferBytes));
    }
    SetSwitchFlag("Pfc", config.pfc, defaults);
    SetSwitchFlag("Ecn", config.qcn, defaults);
    ApplyLossRecovery(config, defaults);
    WarnOfOmissions(config, findings);
    return findings;
}

HpccFindings::HpccFindings(const HpccConfig& config)
{
    for (const HpccKeyUse& use : config.keys)
    {
        keys.push_back({use.key, use.value, use.line, use.effect, use.reason});
    }
}

void
HpccFindings::Ignore(const std::string& key, const std::string& reason)
{
    for (ConfigurationKey& each : keys)
    {
        if (each.key == key)
        {
            each.ignored = reason;
        }
    }
}

std::string
FindHpccFile(const HpccConfig& config,
             const std::string& key,
             const std::string& path,
             const std::string& option)
{
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(config.source).parent_path();
    for (const fs::path& place :
         {fs::path(path), folder / path, folder / ".." / path, folder / fs::path(path).filename()})
    {
        std::error_code error;
        if (fs::is_regular_file(place, error))
        {
            return place.string();
        }
    }
    throw ConfigError(config.source,
                      key,
                      path,
                      "a file, here or around the configuration file; or " + option +
                          ", which wins over it");
}

std::vector<std::string>
ApplyHpccThresholds(const HpccConfig& config, const RoceFabric& fabric)
{
    if (config.thresholds.empty() && !config.flatThresholds)
    {
        return {};
    }
    std::set<uint64_t> scaledRates;
    for (const auto& device : fabric.switches)
    {
        for (uint32_t port = 0; device && port < device->GetPortCount(); port++)
        {
            const uint64_t rate = device->GetPort(port).GetLink().rateBps;
            bool scaled = false;
            device->SetEcnThresholds(port, ThresholdsFor(DataRate(rate), config, scaled));
            if (scaled)
            {
                scaledRates.insert(rate);
            }
        }
    }
    std::vector<std::string> notes;
    for (const uint64_t rate : scaledRates)
    {
        notes.push_back(DescribeScaledThresholds(DataRate(rate), config));
    }
    return notes;
}

void
ApplyHpccErrorRate(const HpccConfig& config, Topology& topology)
{
    for (TopologyLink& link : topology.links)
    {
        if (link.kind == TopologyLinkKind::ETHERNET && link.lossRate == 0)
        {
            link.lossRate = config.errorRate.value_or(0.0);
        }
    }
}

std::vector<LinkEvent>
GetHpccLinkEvents(const HpccConfig& config, const Topology& topology)
{
    if (!config.linkDown)
    {
        return {};
    }
    const std::vector<uint32_t> nodes = topology.GetNodesByFileId();
    const auto find = [&](uint32_t id) { return id < nodes.size() ? nodes[id] : UINT32_MAX; };
    LinkEvent event;
    event.when = Seconds(2) + config.linkDown->when;
    event.links =
        FindEthernetLinks(topology, find(config.linkDown->a), find(config.linkDown->b));
    if (event.links.empty())
    {
        throw ConfigError(config.source,
                          "LINK_DOWN",
                          std::to_string(config.linkDown->a) + " " +
                              std::to_string(config.linkDown->b),
                          "two nodes that an Ethernet link joins");
    }
    return {event};
}

} // namespace ns3
