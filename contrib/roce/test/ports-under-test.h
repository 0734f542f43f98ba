/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PORTS_UNDER_TEST_H
#define PORTS_UNDER_TEST_H

#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/link-event-player.h"
#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup tests \brief What tests of NICs with several ports share. */
namespace portstest
{

inline constexpr uint32_t HOSTS = 4;     //!< hosts in TwoSwitches()
inline constexpr double PACKET = 0.04248; //!< us that 1062 bytes take at 200 Gbit/s

/** \return hosts with a port of 200 Gbit/s to each of two switches: nodes HOSTS and HOSTS + 1 */
inline Topology
TwoSwitches()
{
    Topology topology;
    topology.nodes.resize(HOSTS + 2);
    for (uint32_t i = 0; i < 2 * HOSTS; i++)
    {
        topology.links.emplace_back();
        topology.links[i].a = i / 2;
        topology.links[i].b = HOSTS + i % 2;
        topology.links[i].rate = DataRate("200Gbps");
        topology.links[i].delay = MicroSeconds(1);
    }
    topology.nodes[HOSTS].kind = topology.nodes[HOSTS + 1].kind = TopologyNodeKind::SWITCH;
    return topology;
}

/** \param perPacket choose a port for every packet \param engine event engine \return options */
inline RoceTestOptions
Options(bool perPacket = false, const std::string& engine = "fabric")
{
    RoceTestOptions options;
    options.engine = engine;
    options.fingerprint = true;
    options.configure = [perPacket](RoceHelper& helper) {
        helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(6)); // 262 us
        helper.SetNicAttribute("PortPerPacket", BooleanValue(perPacket));
        if (perPacket)
        {
            helper.SetNicAttribute("PortBalancer", StringValue("ns3::SprayLoadBalancer"));
        }
    };
    return options;
}

/** \ingroup tests \brief TwoSwitches() with links that change. */
class PortsUnderTest
{
  public:
    /** \param options what the network is like \param spread whether receivers tolerate reordering */
    explicit PortsUnderTest(const RoceTestOptions& options = Options(), bool spread = false)
        : m_defaults(spread ? Tolerate() : nullptr),
          network(TwoSwitches(), options),
          player({TwoSwitches(),
                  network.fabric.channels,
                  {network.fabric.switches.begin(), network.fabric.switches.end()},
                  [this](const auto& routes) { network.fabric.SetNicRoutes(routes); }})
    {
    }

    /** \param us microseconds \param host a host \param port of it \param change what happens */
    void Add(int64_t us, uint32_t host, uint32_t port, LinkChange change)
    {
        m_events.push_back({MicroSeconds(us), change, DataRate("1bps"), {2 * host + port}});
    }

    /** Gives the player its events. */
    void Start()
    {
        std::stable_sort(m_events.begin(), m_events.end(), [](const auto& x, const auto& y) {
            return x.when < y.when;
        });
        player.Start(m_events);
    }

    /** \param host a host \param port of it \return data frames that it has sent there */
    uint64_t GetSent(uint32_t host, uint32_t port)
    {
        return network.fabric.nics[host]->GetPort(port).GetCounters().packets[0];
    }

  private:
    /** \return defaults with a receiver that tolerates reordering */
    static std::unique_ptr<ScopedDefaults> Tolerate()
    {
        auto defaults = std::make_unique<ScopedDefaults>();
        defaults->Set("ns3::LossRecovery::ReorderWindow", UintegerValue(4096));
        return defaults;
    }

    std::unique_ptr<ScopedDefaults> m_defaults; //!< while the network lives
    std::vector<LinkEvent> m_events;            //!< what happens

  public:
    RoceTestNetwork network; //!< the network
    LinkEventPlayer player;  //!< changes its links
};

/** \param network a network \return time of the last arrival, us */
inline double
LastArrival(const RoceTestNetwork& network)
{
    return network.GetLastReceived().GetSeconds() * 1e6;
}

} // namespace portstest

} // namespace ns3

#endif /* PORTS_UNDER_TEST_H */
