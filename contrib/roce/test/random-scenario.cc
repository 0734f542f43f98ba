/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "random-scenario.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/load-balancer.h"
#include "ns3/loss-recovery.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/type-catalogue.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/** \param base a kind \param dice numbers \return name of one of its classes */
std::string
DrawType(TypeId base, ScenarioDice& dice)
{
    std::vector<std::string> names;
    for (const TypeId& type : TypeCatalogue(base).GetTypes())
    {
        if (type.GetGroupName() == base.GetGroupName()) // not those of other tests
        {
            names.push_back(type.GetName());
        }
    }
    return dice.OneOf(names);
}

} // namespace

RandomScenario::RandomScenario(uint64_t s)
    : seed(s)
{
    ScenarioDice dice(seed);
    m_meanDelay = dice.OneOf<uint64_t>({10, 200, 1000, 1000, 5000});
    m_lossRate = dice.OneOf<double>({0, 0, 0, 1e-4, 1e-3, 1e-2, 5e-2});
    m_bitErrorRate = dice.OneOf<double>({0, 0, 0, 1e-9, 1e-7});
    DrawTopology(dice);
    DrawOptions(dice);
    DrawFlows(dice);
    DrawEvents(dice);
    DrawPortsAndClasses(dice); // new draws go last, so that others keep their numbers
    std::ostringstream text;
    text << "seed " << seed << ": " << description << ", " << topology.links.size() << " links, "
         << flows.size() << " flows, " << events.size() << " link events, loss " << m_lossRate
         << ", bit errors " << m_bitErrorRate;
    for (const auto& [name, value] : defaults)
    {
        text << ", " << name.substr(5) << " " << value;
    }
    for (const uint32_t each : classes)
    {
        text << ", class " << each;
    }
    description = text.str();
}

void
RandomScenario::AddNodes(uint32_t hosts, uint32_t switches)
{
    topology.nodes.resize(hosts + switches);
    for (uint32_t i = 0; i < switches; i++)
    {
        topology.nodes[hosts + i].kind = TopologyNodeKind::SWITCH;
    }
}

void
RandomScenario::Link(ScenarioDice& dice, uint32_t a, uint32_t b, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
    {
        TopologyLink link;
        link.a = a;
        link.b = b;
        link.rate = DataRate(dice.OneOf<uint64_t>({10, 25, 40, 100, 100, 100, 200, 400, 800}) *
                             1000000000);
        link.delay = NanoSeconds(dice.Between(m_meanDelay / 2, 2 * m_meanDelay));
        link.lossRate = dice.Chance(70) ? m_lossRate : 0;
        link.bitErrorRate = m_bitErrorRate;
        topology.links.push_back(link);
    }
}

void
RandomScenario::DrawTopology(ScenarioDice& dice)
{
    const uint64_t kind = dice.Between(0, 4);
    const uint64_t parallel = dice.Chance(30) ? dice.Between(2, 3) : 1;
    if (kind == 0)
    {
        const uint32_t hosts = dice.Between(2, 8);
        AddNodes(hosts, 1);
        for (uint32_t host = 0; host < hosts; host++)
        {
            Link(dice, host, hosts, parallel);
        }
        description = "star of " + std::to_string(hosts);
    }
    else if (kind <= 2)
    {
        const uint32_t leaves = dice.Between(2, 4);
        const uint32_t spines = dice.Between(1, 4);
        const uint32_t hosts = leaves * dice.Between(1, 3);
        AddNodes(hosts, leaves + spines);
        const bool dual = dice.Chance(20); // every host on two leaves
        for (uint32_t host = 0; host < hosts; host++)
        {
            Link(dice, host, hosts + host % leaves);
            if (dual)
            {
                Link(dice, host, hosts + (host + 1) % leaves);
            }
        }
        for (uint32_t i = 0; i < leaves * spines; i++)
        {
            Link(dice, hosts + i % leaves, hosts + leaves + i / leaves, parallel);
        }
        mayDeadlock = dual;
        m_twoTiers = !dual;
        description = std::to_string(leaves) + " leaves, " + std::to_string(spines) +
                      " spines, hosts on " + (dual ? "two" : "one");
    }
    else if (kind == 3)
    {
        // k = 4: hosts 0 to 15, edges 16 to 23, aggregations 24 to 31, cores 32 to 35
        AddNodes(16, 20);
        m_twoTiers = false;
        for (uint32_t i = 0; i < 16; i++)
        {
            Link(dice, i, 16 + i / 2);
            Link(dice, 16 + i / 2, 24 + i / 4 * 2 + i % 2);
            Link(dice, 24 + i / 2, 32 + i / 2 % 2 * 2 + i % 2);
        }
        description = "fat tree";
    }
    else
    {
        const uint32_t switches = dice.Between(2, 6);
        const uint32_t hosts = switches * dice.Between(1, 2);
        AddNodes(hosts, switches);
        for (uint32_t host = 0; host < hosts; host++)
        {
            Link(dice, host, hosts + host % switches);
        }
        for (uint32_t i = 1; i < switches; i++)
        {
            Link(dice, hosts + i, hosts + dice.Between(0, i - 1), parallel);
        }
        for (uint64_t more = dice.Between(0, switches); more > 0; more--)
        {
            const uint32_t a = dice.Between(0, switches - 1);
            Link(dice, hosts + a, hosts + (a + 1) % switches);
        }
        mayDeadlock = true;
        description = "mesh of " + std::to_string(switches);
    }
}

void
RandomScenario::DrawOptions(ScenarioDice& dice)
{
    options.fingerprint = true;
    options.mtuBytes = dice.OneOf<uint32_t>({256, 1000, 1024, 2048, 4096});
    options.gapBytes = dice.Chance(80) ? 20 : 0;
    options.ackInterval = dice.OneOf<uint32_t>({1, 1, 2, 4, 16, 64});
    options.congestionControl = DrawType(RoceCongestionControl::GetTypeId(), dice);
    options.loadBalancer = DrawType(LoadBalancer::GetTypeId(), dice);
    if (!m_twoTiers && options.loadBalancer == "ns3::CongaLoadBalancer")
    {
        options.loadBalancer = "ns3::FlowletLoadBalancer";
    }
    options.write = dice.Chance(50);
    const std::string recovery = DrawType(LossRecovery::GetTypeId(), dice);
    cutThrough = dice.Chance(20);
    pfc = dice.Chance(65);
    mayDeadlock = mayDeadlock && pfc;
    const bool watchdog = pfc && dice.Chance(50);
    const uint32_t priority = dice.OneOf<uint32_t>({3, 3, 3, 0, 1, 6});
    const uint32_t cnpPriority = dice.OneOf<uint32_t>({6, 6, 3, 7, 0});
    const uint32_t lossless = dice.Chance(85) ? 1U << priority | (dice.Chance(30) ? 0x6U : 0U)
                                              : 1U << (priority + 1);
    const uint32_t timeout = dice.Between(4, 9);
    const uint32_t retries = dice.OneOf<uint32_t>({7, 7, 7, 3, 1});
    const uint32_t outstanding = dice.Chance(20) ? dice.Between(1, 100) : 1U << 23;
    const double alpha = dice.OneOf<double>({1.0 / 64, 1.0 / 8, 1, 8});
    const uint64_t kmin = dice.OneOf<uint64_t>({2000, 20000, 100000});
    const uint64_t latency = dice.Chance(30) ? dice.Between(1, 1000) : 0;
    const uint64_t buffer = pfc ? 0 : dice.OneOf<uint64_t>({20000, 100000, 1000000, 0});
    const uint64_t quanta = dice.Chance(20) ? dice.Between(500, 5000) : 65535;
    options.configure = [=, cut = cutThrough, on = pfc](RoceHelper& helper) {
        helper.SetNicAttribute("LossRecovery", TypeIdValue(TypeId::LookupByName(recovery)));
        helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(timeout));
        helper.SetNicAttribute("RetryCount", UintegerValue(retries));
        helper.SetNicAttribute("MaxOutstanding", UintegerValue(outstanding));
        helper.SetNicAttribute("Priority", UintegerValue(priority));
        helper.SetNicAttribute("CnpPriority", UintegerValue(cnpPriority));
        helper.SetSwitchAttribute("LosslessPriorities", UintegerValue(lossless));
        helper.SetSwitchAttribute("Pfc", BooleanValue(on));
        helper.SetSwitchAttribute("PauseQuanta", UintegerValue(quanta));
        helper.SetSwitchAttribute("PfcWatchdog", BooleanValue(watchdog));
        helper.SetSwitchAttribute("PfcWatchdogDetectionTime", TimeValue(MicroSeconds(400)));
        helper.SetSwitchAttribute("PfcWatchdogRestorationTime", TimeValue(MicroSeconds(800)));
        helper.SetSwitchAttribute("Alpha", DoubleValue(alpha));
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(buffer));
        helper.SetSwitchAttribute("EcnKmin", UintegerValue(kmin));
        helper.SetSwitchAttribute("EcnKmax", UintegerValue(4 * kmin));
        helper.SetSwitchAttribute("CutThrough", BooleanValue(cut));
        helper.SetSwitchAttribute("Latency", TimeValue(NanoSeconds(latency)));
    };
    std::ostringstream text;
    text << ", " << options.congestionControl.substr(5) << ", " << options.loadBalancer.substr(5)
         << ", " << recovery.substr(5) << ", " << (pfc ? "PFC" : "no PFC")
         << (watchdog ? " with watchdog" : "") << ", mtu " << options.mtuBytes << ", ack every "
         << options.ackInterval;
    description += text.str();
}

void
RandomScenario::DrawPortsAndClasses(ScenarioDice& dice)
{
    std::string balancer = DrawType(LoadBalancer::GetTypeId(), dice);
    if (balancer == "ns3::CongaLoadBalancer") // for leaves only
    {
        balancer = "ns3::EcmpLoadBalancer";
    }
    defaults.emplace_back("ns3::RoceNicDevice::PortBalancer", balancer);
    const bool perPacket = dice.Chance(40);
    const std::string window = dice.OneOf<std::string>({"4096", "4096", "64", "0"});
    if (perPacket)
    {
        defaults.emplace_back("ns3::RoceNicDevice::PortPerPacket", "true");
        defaults.emplace_back("ns3::LossRecovery::ReorderWindow", window);
    }
    const std::string weights =
        dice.OneOf<std::string>({"0:1,3:4", "0-7:1", "1:1,3:3,6:2", "0-2:1,3:10"});
    const std::string quantum = dice.OneOf<std::string>({"4200", "300", "20000"});
    defaults.emplace_back("ns3::DwrrEgressScheduler::Weights", weights);
    defaults.emplace_back("ns3::DwrrEgressScheduler::Quantum", quantum);
    for (const std::string device : {"Nic", "Switch"})
    {
        if (dice.Chance(30))
        {
            defaults.emplace_back("ns3::Roce" + device + "Device::EgressScheduler",
                                  "ns3::DwrrEgressScheduler");
        }
    }
    if (dice.Chance(30))
    {
        defaults.emplace_back("ns3::RoceSwitchDevice::EcnAtEnqueue", "true");
    }
    if (dice.Chance(30))
    {
        defaults.emplace_back("ns3::RoceNicDevice::CnpMinGap",
                              dice.OneOf<std::string>({"100ns", "1us", "20us"}));
    }
    if (dice.Chance(30))
    {
        for (uint32_t channel = 0; channel < 3; channel++)
        {
            classes.push_back(dice.Between(0, 7));
        }
    }
}

void
RandomScenario::DrawFlows(ScenarioDice& dice)
{
    const uint32_t hosts = topology.GetGpuCount();
    const bool incast = dice.Chance(40);
    const uint64_t spread = dice.OneOf<uint64_t>({0, 1000, 100000});
    uint64_t budget = 3000 * options.mtuBytes; // a run takes milliseconds
    for (uint64_t count = dice.Between(1, 40); count > 0 && budget > 0; count--)
    {
        Flow flow;
        flow.dst = incast ? 0 : dice.Between(0, hosts - 1);
        flow.src = (flow.dst + dice.Between(1, hosts - 1)) % hosts;
        flow.channel = dice.Between(0, 2);
        flow.start = NanoSeconds(dice.Between(0, spread));
        const uint64_t longest = dice.OneOf<uint64_t>({1, 10, 100, 1000}) * options.mtuBytes;
        flow.bytes = std::min(budget, dice.Between(0, longest));
        budget -= flow.bytes;
        flows.push_back(flow);
    }
    std::stable_sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) {
        return a.start < b.start;
    });
}

void
RandomScenario::DrawEvents(ScenarioDice& dice)
{
    for (uint64_t count = dice.Chance(50) ? dice.Between(1, 4) : 0; count > 0; count--)
    {
        const TopologyLink& link = dice.OneOf(topology.links);
        LinkEvent event;
        event.when = NanoSeconds(dice.Between(0, 200000));
        event.links = FindEthernetLinks(topology, link.a, link.b);
        event.change = dice.Chance(30) ? LinkChange::RATE : LinkChange::DOWN;
        event.rate = DataRate(1000000000); // below that of every link
        events.push_back(event);
        mayDeadlock = mayDeadlock || (pfc && event.change == LinkChange::DOWN);
        if (dice.Chance(80))
        {
            event.when += NanoSeconds(dice.Between(0, 300000));
            event.change = LinkChange::UP;
            events.push_back(event);
        }
    }
    if (dice.Chance(40))
    {
        const TopologyLink& link = dice.OneOf(topology.links);
        LinkEvent event;
        event.when = NanoSeconds(dice.Between(0, 100000));
        event.links = FindEthernetLinks(topology, link.a, link.b);
        event.change = dice.Chance(50) ? LinkChange::LOSS : LinkChange::BIT_ERRORS;
        event.probability = event.change == LinkChange::LOSS ? 0.02 : 1e-6;
        events.push_back(event);
        if (dice.Chance(80))
        {
            event.when += NanoSeconds(dice.Between(0, 300000));
            event.probability = 0;
            events.push_back(event);
        }
    }
    std::stable_sort(events.begin(), events.end(), [](const LinkEvent& a, const LinkEvent& b) {
        return a.when < b.when;
    });
}

} // namespace ns3
