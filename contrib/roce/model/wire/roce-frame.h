/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FRAME_H
#define ROCE_FRAME_H

#include "roce-wire.h"

#include "ns3/fabric-packet.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief What RoceFrame::Parse() found. */
enum class RoceFrameStatus : uint8_t
{
    OK,           //!< a RoCEv2 frame, every check right
    NOT_ROCE,     //!< another protocol, an unknown opcode, IPv4 options
    TRUNCATED,    //!< shorter than its headers say
    BAD_CHECKSUM, //!< IPv4 header checksum is wrong
    BAD_ICRC,     //!< invariant check is wrong
    BAD_FCS,      //!< frame check sequence is wrong
};

/**
 * \ingroup roce
 * \brief A RoCEv2 frame over IPv4 with every field of its headers; from and to its true bytes.
 *
 * The simulator moves FabricPacket records. This class gives the bytes that such a packet would
 * have on a real link, for pcap files, foreign devices and other machines, and reads them back.
 * Payload bytes are zeros.
 *
 * What a record lacks is filled in: addresses from the ranks (RoceAddress), don't fragment, time
 * to live 64 at every hop, no UDP checksum, default partition and queue keys, RETH with address 0
 * and key 0, migration state as NICs set it (1, CNPs 0), BECN on CNPs and on acknowledgements that
 * echo a mark (IBA annex A10). The
 * identification field, which means nothing where fragments are forbidden (RFC 6864), repeats the
 * low bits of the sequence number. Switches are taken to be transparent: MAC addresses are those of
 * the end points at every hop.
 *
 * In-band telemetry stands between the extended headers and the payload, in the fields of HPCC's
 * header (EncodeTelemetryHop()): 2 bytes that count the switches which wrote, 8 bytes for each,
 * and unused space. How many switches there is space for stands in the BTH, in the 6 bits behind
 * FECN and BECN, which are reserved and not part of the invariant check: 0 means no telemetry.
 *
 * Not on the wire, so lost on the way to bytes: the record's time stamp and cookie, the exact
 * values of telemetry, the length of a message in packets without RETH, lengths above 2^32 - 1.
 */
struct RoceFrame
{
    uint64_t dstMac{0};                       //!< destination MAC address, 48 bits
    uint64_t srcMac{0};                       //!< source MAC address, 48 bits
    uint8_t dscp{0};                          //!< differentiated services code point
    EcnCodepoint ecn{EcnCodepoint::NOT_ECT};  //!< ECN bits
    uint16_t identification{0};               //!< IPv4 identification
    uint8_t ttl{64};                          //!< time to live
    uint32_t srcIp{0};                        //!< source IPv4 address
    uint32_t dstIp{0};                        //!< destination IPv4 address
    uint16_t srcPort{0};                      //!< UDP source port
    RoceOpcode opcode{RoceOpcode::SEND_ONLY}; //!< BTH opcode
    bool solicited{false};                    //!< BTH SE
    bool migrated{true};                      //!< BTH M
    uint16_t pkey{RoceWire::DEFAULT_PKEY};    //!< BTH partition key
    bool fecn{false};                         //!< BTH FECN
    bool becn{false};                         //!< BTH BECN
    uint32_t dstQp{0};                        //!< BTH destination queue pair, 24 bits
    bool ackRequest{false};                   //!< BTH A
    uint32_t psn{0};                          //!< BTH packet sequence number, 24 bits
    uint32_t qkey{RoceWire::DEFAULT_QKEY};    //!< DETH queue key
    uint32_t srcQp{0};                        //!< DETH sending queue pair, 24 bits
    uint64_t virtualAddress{0};               //!< RETH
    uint32_t remoteKey{0};                    //!< RETH
    uint32_t dmaLength{0};                    //!< RETH, bytes
    uint32_t aeth{0};                         //!< AETH: syndrome (8 bits), MSN (24 bits)
    uint32_t immediate{0};                    //!< immediate data
    uint32_t sackPsn{0};                      //!< last number of the bitmap, 24 bits
    uint64_t sackBits{0};                     //!< bit i: number sackPsn - 63 + i has arrived
    uint32_t payloadBytes{0};                 //!< payload without padding
    uint8_t telemetrySpace{0};                //!< switches that telemetry has space for, 0 = none
    std::vector<uint64_t> telemetry;          //!< what switches wrote, first to last

    /**
     * \param packet a record of this module's protocol, no MAC control and no foreign frame
     * \return the frame it stands for
     */
    static RoceFrame FromRecord(const FabricPacket& packet);

    /**
     * Fills in what a frame tells. Its addresses must be those of ranks.
     * \param [out] packet a record with every field zero
     */
    void ToRecord(FabricPacket& packet) const;

    /** \param packet a record with telemetry \return bytes of its header of in-band telemetry */
    static uint32_t GetTelemetryBytes(const FabricPacket& packet)
    {
        return packet.frameBytes - packet.payloadBytes - RoceWire::BASE -
               RoceWire::PadBytes(packet.payloadBytes) -
               RoceWire::ExtensionBytes(static_cast<RoceOpcode>(packet.opcode));
    }

    /** \return bytes of the header of in-band telemetry, 0 if there is none */
    uint32_t GetTelemetryBytes() const
    {
        return telemetrySpace
                   ? RoceWire::TELEMETRY_COUNT + RoceWire::TELEMETRY_HOP * telemetrySpace
                   : 0;
    }

    /** \return the frame's bytes, check sequence included */
    std::vector<uint8_t> Serialize() const;

    /**
     * \param bytes a frame, check sequence included
     * \param size its size, bytes
     * \param [out] frame what it holds; right if and only if the status is OK
     * \return what it is
     */
    static RoceFrameStatus Parse(const uint8_t* bytes, std::size_t size, RoceFrame& frame);
};

} // namespace ns3

#endif /* ROCE_FRAME_H */
