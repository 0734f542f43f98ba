/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_DEVICE_H
#define FABRIC_DEVICE_H

#include "fabric-port.h"

#include "ns3/mac48-address.h"
#include "ns3/net-device.h"

#include <deque>
#include <string>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Base of every device of the fabric: a NetDevice with any number of ports.
 *
 * NICs, network switches, NVLink interfaces and NVSwitches derive from it. Frames are exchanged
 * as FabricPacket records; ns-3 Packets do not pass through Send().
 */
class FabricDevice : public NetDevice
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    FabricDevice();
    ~FabricDevice() override;

    /** \param context what the devices of the fabric share; call before AddPort() */
    void SetFabric(Ptr<FabricContext> context);

    /** \return what the devices of the fabric share */
    FabricContext* GetFabric() const
    {
        return PeekPointer(m_fabric);
    }

    /** \param name what messages to the user call this device */
    void SetName(const std::string& name);
    /** \return its name; one that was given none is "node <ns-3 node id>" */
    std::string GetName() const;

    /** \return the new port */
    virtual FabricPort& AddPort();

    /** \return number of ports */
    uint32_t GetPortCount() const
    {
        return m_ports.size();
    }

    /** \param index port number \return the port */
    FabricPort& GetPort(uint32_t index)
    {
        return m_ports[index];
    }

    /** \copydoc GetPort */
    const FabricPort& GetPort(uint32_t index) const
    {
        return m_ports[index];
    }

    /**
     * A frame arrived; the device owns it from now on.
     * \param packet the frame
     * \param port where it arrived
     */
    virtual void Receive(FabricPacket* packet, FabricPort& port) = 0;

    /** \return whether Departed() is to be called */
    virtual bool WantsDepartures() const;

    /**
     * A frame's first bit left; may be called later than that, but in the order of departures of
     * the port, and before anything else is queued there.
     * \param packet the frame, with packet.start the time of departure
     * \param port where it left
     */
    virtual void Departed(FabricPacket& packet, FabricPort& port);

    /**
     * A paused traffic class of a port may send again.
     * \param port the port
     */
    virtual void PauseEnded(FabricPort& port);

    /**
     * A link was mended.
     * \param port its port here; the other end is up too
     */
    virtual void LinkMended(FabricPort& port);

    /** \param index port number \param channel the channel it is attached to */
    void SetPortChannel(uint32_t index, Ptr<Channel> channel);

    /** \param index port number \return the channel it is attached to, may be null */
    Ptr<Channel> GetPortChannel(uint32_t index) const;

    /**
     * \param stream first random stream to use
     * \return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

    // From NetDevice.
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    /** \return the channel of port 0 */
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    /** ns-3 Packets do not pass: \return false */
    bool SetMtu(const uint16_t mtu) override;
    /** ns-3 Packets do not pass: \return 0 */
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    /** Links stay as they are: the callback is never called. */
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    /** Not supported: \return false */
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

    /**
     * Gives a port a scheduler of its own; a ConfigError tells what is wrong with its attributes.
     * \param port one of our ports, without frames
     * \param type type of an EgressScheduler
     */
    void SetPortScheduler(FabricPort& port, TypeId type) const;

    /** \return present time, ticks */
    uint64_t NowTicks() const
    {
        return m_fabric->engine.Now();
    }

  private:
    Ptr<FabricContext> m_fabric;            //!< shared state
    std::deque<FabricPort> m_ports;         //!< ports, at stable addresses
    std::vector<Ptr<Channel>> m_channels;   //!< by port
    Ptr<Node> m_node;                       //!< node
    uint32_t m_ifIndex{0};                  //!< index at the node
    std::string m_name;                     //!< for messages, empty: none was given
    Mac48Address m_address;                 //!< MAC address
};

} // namespace ns3

#endif /* FABRIC_DEVICE_H */
