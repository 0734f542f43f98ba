/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INTERNET_TEST_NETWORK_H
#define ROCE_INTERNET_TEST_NETWORK_H

#include "engine-under-test.h"

#include "ns3/packet-sink.h"
#include "ns3/roce-ethernet-device.h"
#include "ns3/roce-internet-helper.h"
#include "ns3/roce-message-transport.h"
#include "ns3/scoped-defaults.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup tests \brief What a RoceInternetTestNetwork is like. */
struct RoceInternetTestOptions
{
    Topology topology;                          //!< the cluster; without nodes: hosts on one switch
    std::string rate{"10Gbps"};                 //!< of every link, if so
    Time delay{MicroSeconds(1)};                //!< of every link, if so
    std::string engine{"fabric"};               //!< event engine
    std::vector<uint32_t> ranks;                //!< hosts with an Ethernet interface; none: all
    std::string tcp{"ns3::TcpNewReno"};         //!< TCP's congestion control
    bool ecn{false};                            //!< TCP uses ECN
    bool assignAddresses{true};                 //!< those of the ranks
    std::function<void(RoceHelper&)> configure; //!< sets attributes of the fabric
    std::function<void(RoceInternetHelper&)> configureIp; //!< sets those of the interfaces
};

/**
 * \ingroup tests
 * \brief Hosts with RoCE and ns-3's internet stack on the same ports.
 */
class RoceInternetTestNetwork
{
  public:
    /**
     * \param hosts hosts, numbers 0 to hosts - 1, of the topology if options do not have one
     * \param options what it is like
     */
    explicit RoceInternetTestNetwork(uint32_t hosts, const RoceInternetTestOptions& options = {});
    ~RoceInternetTestNetwork();

    /**
     * Lets TCP send, as fast as it can, from now on.
     * \param src sending host
     * \param dst receiving host
     * \param bytes payload, 0: without end
     * \param port TCP port of the receiver
     * \return the receiver
     */
    Ptr<PacketSink> SendTcp(uint32_t src, uint32_t dst, uint64_t bytes, uint16_t port = 5000);

    /** \param src sending rank \param dst receiving rank \param bytes payload, as one message */
    void SendRdma(uint32_t src, uint32_t dst, uint64_t bytes);

    /** \param dst a rank \return RDMA payload that arrived there in order so far, bytes */
    uint64_t GetRdmaBytes(uint32_t dst) const;

    /** \param host a host \return its interface */
    RoceEthernetDevice& GetDevice(uint32_t host);
    /** \param host a host \return its node */
    Ptr<Node> GetNode(uint32_t host) const;
    /** \return the last switch */
    RoceSwitchDevice& GetSwitch() const;
    /** \param host a host \return the port that leads to it, with one switch */
    FabricPort& GetPortTo(uint32_t host) const;
    /** \param time to run on */
    void RunFor(Time time) const;
    /**
     * Checks, when all is silent, that every frame that was sent arrived or was dropped, and that
     * no record is left.
     */
    void ExpectNothingLost() const;

  private:
    /** \param options how TCP is set up; in every socket that is made while this lives */
    void SetTcpDefaults(const RoceInternetTestOptions& options);

    ScopedDefaults m_defaults; //!< of TCP
    EngineUnderTest m_engine;  //!< made before all else of the simulation, last to go

  public:
    Ptr<FabricContext> context;          //!< shared state
    RoceFabric fabric;                   //!< NICs and switch
    NodeContainer nodes;                 //!< hosts and switch
    NetDeviceContainer devices;          //!< interfaces
    Ipv4InterfaceContainer addresses;    //!< of these
    Ptr<RoceMessageTransport> transport; //!< RDMA
};

} // namespace ns3

#endif /* ROCE_INTERNET_TEST_NETWORK_H */
