/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_PACKET_H
#define FABRIC_PACKET_H

#include "telemetry-stack.h"

#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class Packet;

/** \ingroup fabric \brief Explicit congestion notification code points (RFC 3168). */
enum class EcnCodepoint : uint8_t
{
    NOT_ECT = 0, //!< not capable
    ECT1 = 1,    //!< capable
    ECT0 = 2,    //!< capable
    CE = 3,      //!< congestion experienced
};

/** \ingroup fabric \brief What a frame is to the counters of a link. */
enum class FrameClass : uint8_t
{
    DATA,    //!< payload, READ requests, frames of other protocols
    ACK,     //!< acknowledges data, positively or negatively
    CONTROL, //!< congestion notification, pause, credit
};

/**
 * \ingroup fabric
 * \brief A frame on its way through the fabric: a pooled plain record.
 *
 * The first cache line holds what every hop touches, the second what only end points, pcap and
 * telemetry read. Of RoCE and MAC control frames no bytes are kept: whoever wants to see one (pcap)
 * builds it from this record. Frames of other protocols keep theirs, in `foreign`. Times are in
 * ticks of ns-3's time resolution.
 */
struct alignas(64) FabricPacket
{
    FabricPacket* next;      //!< link of whichever list holds the packet
    uint64_t due;            //!< arrival of the last bit at the far end of the current link, ticks
    uint64_t start;          //!< departure of the first bit from the current port, ticks
    uint32_t frameBytes;     //!< size in buffers: frame with its check sequence, no preamble or gap
    uint32_t payloadBytes;   //!< payload the transport counts
    uint32_t src;            //!< sending end point (rank, or NIC: see RouteTable)
    uint32_t dst;            //!< receiving end point
    uint32_t flow;           //!< entropy for load balancing (RoCE: the UDP source port)
    uint32_t qp;             //!< destination queue pair number, 24 bit
    uint32_t psn;            //!< packet sequence number, 24 bit
    uint16_t inPort;         //!< port through which the current device received it
    uint8_t opcode;          //!< meaning private to the transport
    uint8_t priority : 4;    //!< traffic class 0..7, 8 = MAC control
    uint8_t frameClass : 2;  //!< a FrameClass
    uint8_t ecn : 2;         //!< an EcnCodepoint
    uint8_t ackRequest : 1;  //!< BTH AckReq
    uint8_t solicited : 1;   //!< BTH solicited event
    uint8_t ecnEcho : 1;     //!< ACK: the packet that it answers carried CE
    uint8_t instrumented : 1; //!< has `telemetry`; switches write into that of data
    uint8_t offload : 1;     //!< the next switch adds it up or copies it (Offload())
    uint8_t uncharged : 1;   //!< a copy whose memory in the current switch another one stands for
    uint8_t reserved : 2;    //!< zero
    uint8_t dscp;            //!< differentiated services code point: see DscpMap
    uint32_t overlay;        //!< header between leaf switches, the load balancer's own; 0: none

    // Second line.
    uint64_t stamp;          //!< time stamp the receiver echoes, ticks
    uint64_t messageBytes;   //!< length of the message (RETH), bytes
    uint32_t aeth;           //!< ACK: AETH syndrome (8 bit) and MSN (24 bit)
    uint32_t immediate;      //!< immediate data, where the opcode carries it
    Packet* foreign;         //!< frame of another protocol, one reference held, or nullptr
    TelemetryStack* telemetry; //!< in-band telemetry, owned by the packet, or nullptr
    uint64_t cookie;         //!< the sending application's tag of the message, bytes of its header

    /** \return the frame class */
    FrameClass GetClass() const
    {
        return static_cast<FrameClass>(frameClass);
    }
};

static_assert(offsetof(FabricPacket, stamp) <= 64, "the hot fields fill one cache line");
static_assert(sizeof(FabricPacket) == 128, "two cache lines");

/**
 * \ingroup fabric
 * \brief Free list of FabricPacket records; memory is taken in slabs and given back at the end.
 *
 * Slabs grow to the size of a huge page, which the kernel is asked for: records are reached in no
 * order, and with pages of 4 KiB the look-up of addresses would cost as much as the memory.
 */
class FabricPacketPool
{
  public:
    FabricPacketPool() = default;
    /** Drops the foreign frames of records that are still in use. */
    ~FabricPacketPool();
    FabricPacketPool(const FabricPacketPool&) = delete;
    FabricPacketPool& operator=(const FabricPacketPool&) = delete;

    /** \return a record with every field zero */
    FabricPacket* Allocate()
    {
        if (!m_free)
        {
            Grow();
        }
        FabricPacket* packet = m_free;
        m_free = packet->next;
        m_inUse++;
        *packet = FabricPacket{};
        return packet;
    }

    /** \param packet a record from this pool that nobody uses any more */
    void Release(FabricPacket* packet)
    {
        if (packet->foreign)
        {
            DropForeign(packet);
        }
        if (packet->instrumented)
        {
            DropTelemetry(packet);
        }
        packet->next = m_free;
        m_free = packet;
        m_inUse--;
    }

    /**
     * \param packet a record of this pool without a foreign frame, which carries one from now on
     * \param frame the frame, Ethernet header first; kept until the record is released
     */
    void AttachForeign(FabricPacket* packet, const Ptr<Packet>& frame);

    /** \param packet a record of this pool without telemetry, which switches fill from now on */
    void AttachTelemetry(FabricPacket* packet);
    /**
     * \param from a record, instrumented or not
     * \param to a record without telemetry, which takes over what `from` carries
     */
    static void MoveTelemetry(FabricPacket* from, FabricPacket* to);

    /** \return records handed out and not released: packets inside the network */
    uint64_t GetInUse() const
    {
        return m_inUse;
    }

  private:
    static constexpr size_t FIRST_SLAB = 64 << 10; //!< size of the first slab, bytes
    static constexpr size_t HUGE_PAGE = 2 << 20;   //!< size of the largest slabs, bytes

    /** \param slabBytes size of a slab \return size of the one after it */
    static size_t NextSlabBytes(size_t slabBytes)
    {
        return slabBytes < HUGE_PAGE ? 2 * slabBytes : HUGE_PAGE;
    }

    /** Takes one more slab. */
    void Grow();
    /** \param packet releases its reference to the foreign frame */
    void DropForeign(FabricPacket* packet);
    /** \param packet an instrumented one, its telemetry goes back to the free list */
    void DropTelemetry(FabricPacket* packet);

    FabricPacket* m_free{nullptr};                        //!< free list
    uint64_t m_inUse{0};                                  //!< records handed out
    uint64_t m_foreign{0};                                //!< of these, with a foreign frame
    TelemetryStack* m_freeStacks{nullptr};                //!< telemetry not in use
    std::vector<std::unique_ptr<TelemetryStack>> m_stacks; //!< all telemetry
    std::vector<std::unique_ptr<FabricPacket[], void (*)(void*)>> m_slabs; //!< all memory
    size_t m_slabBytes{FIRST_SLAB};                       //!< size of the next slab
};

} // namespace ns3

#endif /* FABRIC_PACKET_H */
