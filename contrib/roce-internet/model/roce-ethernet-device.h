/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ETHERNET_DEVICE_H
#define ROCE_ETHERNET_DEVICE_H

#include "ipv4-flow.h"
#include "roce-ethernet-segment.h"

#include "ns3/dscp-map.h"
#include "ns3/fabric-timer.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/queue-size.h"
#include "ns3/roce-nic-device.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace ns3
{

/** \ingroup roce-internet \brief Why a RoceEthernetDevice did not send a packet. */
enum class RoceEthernetDrop : uint8_t
{
    TOO_LARGE,      //!< above the MTU
    NO_DESTINATION, //!< no host has the address
    NO_ROUTE,       //!< no port leads to the host
    QUEUE_FULL,     //!< the transmission queue has no room
};

/** \ingroup roce-internet \brief What a RoceEthernetDevice did. */
struct RoceEthernetCounters
{
    uint64_t sent{0};                //!< frames given to the NIC
    uint64_t received{0};            //!< frames that arrived
    std::array<uint64_t, 4> drops{}; //!< packets not sent, by RoceEthernetDrop
};

/**
 * \ingroup roce-internet
 * \brief The Ethernet interface of a RoCE NIC: lets ns-3's internet stack use the ports of the NIC.
 *
 * Packets become Ethernet frames of true size, which share ports, switches and packet memory with
 * RoCE. The class of a frame follows from the DSCP of its IPv4 header, by the maps of NIC and
 * switches (attribute DscpMap of both); other frames have DSCP 0. Switches treat it as they treat
 * RoCE packets of that class: lossy or lossless, marked where the packet is ECN capable. The mark
 * is put into the IPv4 header when the frame is received or looked at. Switches balance load by a
 * hash of addresses, protocol and ports; one that sprays packets reorders TCP.
 *
 * Frames wait in a queue of TxQueueSize at the NIC, where the port is shared with queue pairs (see
 * RocePortScheduler). While it has no room for a packet of MTU bytes the queue disc above is
 * stopped, so a queue disc loses nothing here; without one a packet that finds no room is dropped.
 * Queue limits (BQL) of ns-3 see a frame as sent when the port takes it.
 *
 * The MAC address is that of the NIC's rank (RoceAddress). With Arp off, neighbours are known: the
 * host that has the IPv4 address gets the packet, and no ARP frame is sent. With Arp on, requests
 * go to the host that has the address they ask for, as where switches suppress the flooding of ARP.
 *
 * Not modelled: IPv6, broadcast and multicast (dropped as NO_DESTINATION), segmentation and
 * checksum offload, time of the host between the stack and the NIC.
 */
class RoceEthernetDevice : public NetDevice, private RoceFrameListener
{
  public:
    static constexpr uint16_t MIN_MTU = 68;   //!< RFC 791
    static constexpr uint16_t MAX_MTU = 9216; //!< jumbo frames, what switches commonly carry

    /** \return the TypeId */
    static TypeId GetTypeId();

    RoceEthernetDevice();
    ~RoceEthernetDevice() override;

    /**
     * Binds it to its NIC; once, when it has a node. A ConfigError says what is wrong with the
     * DscpMap of the NIC.
     * \param nic the NIC, on the same node, which has no Ethernet interface yet
     * \param rankCount number of ranks of the fabric
     * \param segment the hosts that can be reached; gets this device
     */
    void Attach(Ptr<RoceNicDevice> nic,
                uint32_t rankCount,
                Ptr<RoceEthernetSegment> segment);

    /** \return rank of the NIC */
    uint32_t GetRank() const
    {
        return m_nic->GetRank();
    }

    /** \return what it did so far */
    const RoceEthernetCounters& GetCounters() const
    {
        return m_counters;
    }

    /** \param reason why packets were not sent \return how many were not */
    uint64_t GetDrops(RoceEthernetDrop reason) const
    {
        return m_counters.drops[static_cast<uint32_t>(reason)];
    }

    // From NetDevice.
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    /** \return the RoceEthernetSegment */
    Ptr<Channel> GetChannel() const override;
    /** \param address has to be the one that follows from the rank */
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    /** \return whether the link of some port of the NIC is up */
    bool IsLinkUp() const override;
    /** The callback is never called. */
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    /** Not supported: \return false */
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    // From RoceFrameListener.
    void FrameArrived(const FabricPacket& frame, FabricPort& port) override;
    void FrameTaken(uint32_t frameBytes) override;

    /**
     * \param packet a packet that is not sent
     * \param reason why
     * \return false
     */
    bool Drop(const Ptr<const Packet>& packet, RoceEthernetDrop reason);
    /**
     * \param packet a packet to be sent
     * \param dest MAC address it is sent to
     * \param protocolNumber its Ethertype
     * \param flow what its IPv4 header says, if it has one
     * \return rank of the host that gets it
     */
    std::optional<uint32_t> FindHost(const Packet& packet,
                                     Mac48Address dest,
                                     uint16_t protocolNumber,
                                     const std::optional<Ipv4Flow>& flow) const;
    /**
     * \param packet an IP packet or the like
     * \param dest MAC address it is sent to
     * \param protocolNumber its Ethertype
     * \param flow what its IPv4 header says, if it has one
     * \return a record of its frame, without a destination
     */
    FabricPacket* MakeFrame(const Ptr<Packet>& packet,
                            Mac48Address dest,
                            uint16_t protocolNumber,
                            const std::optional<Ipv4Flow>& flow) const;
    /** \param packetBytes size of a packet \return whether the queue has room for its frame */
    bool HasRoom(uint32_t packetBytes) const;
    /** Tells the queue disc what left, and wakes it if there is room again. */
    void ReportTaken();

    Ptr<Node> m_node;                           //!< node
    uint32_t m_ifIndex{0};                      //!< index at the node
    Ptr<RoceNicDevice> m_nic;                   //!< NIC
    uint32_t m_rankCount{0};                    //!< ranks of the fabric
    Ptr<RoceEthernetSegment> m_segment;         //!< hosts that can be reached
    Mac48Address m_address;                     //!< that of the rank
    uint16_t m_mtu{0};                          //!< bytes
    DscpMap m_dscpMap;                          //!< class of every DSCP
    bool m_arp{false};                          //!< use ARP
    QueueSize m_queueSize;                      //!< of the transmission queue
    uint32_t m_queuedFrames{0};                 //!< in it
    uint64_t m_queuedBytes{0};                  //!< in it
    Ptr<NetDeviceQueue> m_txQueue;              //!< what queue discs see of it
    bool m_stopped{false};                      //!< the queue disc is stopped
    uint32_t m_takenBytes{0};                   //!< left the queue, the queue disc was not told
    RoceEthernetCounters m_counters;            //!< what it did
    NetDevice::ReceiveCallback m_receive;       //!< the stack
    NetDevice::PromiscReceiveCallback m_promiscReceive; //!< whoever wants to see all
    FabricTimer<RoceEthernetDevice, &RoceEthernetDevice::ReportTaken> m_reportTaken; //!< now
    TracedCallback<Ptr<const Packet>> m_macTxTrace;     //!< given to the device
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace; //!< not sent
    TracedCallback<Ptr<const Packet>> m_macRxTrace;     //!< received
};

} // namespace ns3

#endif /* ROCE_ETHERNET_DEVICE_H */
