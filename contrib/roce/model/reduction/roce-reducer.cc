/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-reducer.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/node.h"
#include "ns3/roce-switch-device.h"

#include <algorithm>

namespace ns3
{

/** \ingroup roce \brief A stream at a switch. */
class RoceReducer::Stream : public RoceReductionHopUser
{
  public:
    /**
     * \param reducer whose stream
     * \param settings of the stream
     * \param node the switch in its tree
     * \param listener hears of the hops
     */
    Stream(RoceReducer& reducer,
           const RoceReductionSettings& settings,
           const ReductionTree::Node& node,
           RoceReductionListener& listener)
        : m_reducer(reducer),
          m_settings(settings),
          m_node(node),
          m_listener(listener),
          m_slots(2 * settings.window, Slot{GetFanIn(), GetFanIn(), 0})
    {
        FabricContext& fabric = *reducer.m_device.GetFabric();
        const uint32_t id = reducer.m_device.GetNode()->GetId();
        m_hopAtPort.resize(reducer.m_device.GetPortCount(), ReductionTree::NO_PORT);
        m_ports = node.childPorts;
        for (uint32_t i = 0; i < GetFanIn(); i++)
        {
            m_hops.emplace_back(
                *this,
                fabric,
                settings,
                RoceReductionHop::Ends{node.rank, node.childRanks[i], id, i, true});
        }
        if (node.parentPort != ReductionTree::NO_PORT)
        {
            m_ports.push_back(node.parentPort);
            m_hops.emplace_back(
                *this,
                fabric,
                settings,
                RoceReductionHop::Ends{node.rank, node.rank, id, GetFanIn(), false});
        }
        for (uint32_t i = 0; i < m_ports.size(); i++)
        {
            m_hopAtPort[m_ports[i]] = i;
        }
    }

    /** \param packet a frame of the stream \param port where it arrived */
    void Receive(const FabricPacket& packet, uint32_t port)
    {
        const uint32_t hop = m_hopAtPort[port];
        NS_ABORT_MSG_IF(hop == ReductionTree::NO_PORT,
                        m_reducer.m_device.GetName() << " got a frame of a reduction from port "
                                                     << port << ", which is not of its tree");
        m_hops[hop].Receive(packet);
    }

  private:
    /** \brief A fragment that is held. */
    struct Slot
    {
        uint32_t missing;      //!< children that have not contributed
        uint32_t lacking;      //!< children that may not have the sum
        uint32_t payloadBytes; //!< payload
    };

    /** \return the number of children */
    uint32_t GetFanIn() const
    {
        return static_cast<uint32_t>(m_node.childPorts.size());
    }

    /** \param number of a fragment \return its slot */
    Slot& GetSlot(uint64_t number)
    {
        return m_slots[number % m_slots.size()];
    }

    /** \param hop one of ours \return whether it leads to the parent */
    bool IsParent(const RoceReductionHop& hop) const
    {
        return hop.GetIndex() == GetFanIn();
    }

    // From RoceReductionHopUser.
    void Emit(RoceReductionHop& hop, FabricPacket* frame) override
    {
        m_reducer.m_device.SendOwn(frame, m_ports[hop.GetIndex()]);
    }

    void Accept(RoceReductionHop& hop, uint64_t number, uint32_t payloadBytes, bool last) override
    {
        if (IsParent(hop))
        {
            SendDown(payloadBytes, last);
            return;
        }
        Slot& slot = GetSlot(number);
        if (slot.missing == GetFanIn())
        {
            slot.payloadBytes = payloadBytes;
            m_reducer.m_heldBytes += payloadBytes;
            m_reducer.m_maxHeldBytes = std::max(m_reducer.m_maxHeldBytes, m_reducer.m_heldBytes);
        }
        NS_ABORT_MSG_IF(slot.payloadBytes != payloadBytes,
                        "ranks " << m_node.rank << " and " << hop.GetPeerRank()
                                 << " add messages of different sizes");
        NS_ASSERT_MSG(slot.missing > 0, "the reduction table is too small");
        if (--slot.missing > 0)
        {
            return;
        }
        if (m_hops.size() > GetFanIn())
        {
            m_hops.back().Send(payloadBytes, last);
            return;
        }
        SendDown(payloadBytes, last);
    }

    void Acknowledged(RoceReductionHop& hop, uint64_t from, uint64_t to) override
    {
        for (uint64_t number = from; !IsParent(hop) && number < to; number++)
        {
            Slot& slot = GetSlot(number);
            if (--slot.lacking == 0)
            {
                m_reducer.m_heldBytes -= slot.payloadBytes;
                slot = {GetFanIn(), GetFanIn(), 0};
            }
        }
    }

    void CountWaiting(RoceReductionHop&, bool more) override
    {
        m_listener.CountWaiting(m_settings.stream, more);
    }

    void GaveUp(RoceReductionHop& hop) override
    {
        const uint32_t port = m_ports[hop.GetIndex()];
        m_listener.HopFailed(m_settings.stream,
                             m_reducer.m_device.GetName() + " port " + std::to_string(port) +
                                 " to " +
                                 m_reducer.m_device.GetPort(port).GetPeer()->GetOwner()->GetName());
    }

    /** \param payloadBytes of a sum \param last whether it ends a message */
    void SendDown(uint32_t payloadBytes, bool last)
    {
        for (uint32_t i = 0; i < GetFanIn(); i++)
        {
            m_hops[i].Send(payloadBytes, last);
        }
    }

    RoceReducer& m_reducer;                     //!< whose stream
    const RoceReductionSettings& m_settings;    //!< of the stream
    const ReductionTree::Node& m_node;      //!< the switch in the tree
    RoceReductionListener& m_listener;          //!< hears of the hops
    std::vector<Slot> m_slots;                  //!< by number of the fragment, modulo the size
    std::deque<RoceReductionHop> m_hops;        //!< to the children, then to the parent if any
    std::vector<uint32_t> m_ports;              //!< of the hops
    std::vector<uint32_t> m_hopAtPort;          //!< by port of the switch, NO_PORT for none
};

RoceReducer::RoceReducer(RoceSwitchDevice& device, uint64_t tableBytes)
    : m_device(device),
      m_tableBytes(tableBytes)
{
}

RoceReducer::~RoceReducer() = default;

void
RoceReducer::Reserve(const RoceReductionSettings& settings,
                     const ReductionTree::Node& node,
                     RoceReductionListener& listener)
{
    m_reservedBytes += GetNeededBytes(settings);
    NS_ASSERT_MSG(m_reservedBytes <= m_tableBytes, "the table has no room for the stream");
    std::unique_ptr<Stream>& stream = m_streams[settings.stream];
    if (!stream)
    {
        stream = std::make_unique<Stream>(*this, settings, node, listener);
    }
}

void
RoceReducer::Release(const RoceReductionSettings& settings)
{
    m_reservedBytes -= GetNeededBytes(settings);
}

void
RoceReducer::Receive(FabricPacket* packet, const FabricPort& in)
{
    const auto stream = m_streams.find(packet->qp);
    NS_ABORT_MSG_IF(stream == m_streams.end(),
                    m_device.GetName() << " got a frame of reduction " << packet->qp
                                       << ", which it does not know");
    m_device.GetFabric()->counters.combined++;
    stream->second->Receive(*packet, in.GetIndex());
    m_device.GetFabric()->pool.Release(packet);
}

} // namespace ns3
