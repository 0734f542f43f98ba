/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MESSAGE_FRAMING_H
#define MESSAGE_FRAMING_H

#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief What a fabric adds to the payload of messages, and how its switches pass them on: all that
 * a transport that knows no packets is told about them.
 *
 * The defaults add nothing: payload alone, cut-through, nothing acknowledged.
 */
struct MessageFraming
{
    uint32_t payloadBytes{4096};    //!< payload behind one header, above 0, bytes
    uint32_t headerBytes{0};        //!< of every packet on the wire, with preamble and gap, bytes
    uint32_t messageHeaderBytes{0}; //!< more in the first packet of a message, bytes
    uint32_t alignmentBytes{1};     //!< a packet's payload is padded to a multiple of it, bytes
    uint32_t unitBytes{4096};    //!< payload of the pieces that switches store and forward and that
                                 //!< are counted as packets, above 0, bytes
    bool storeAndForward{false}; //!< switches wait for the whole of a piece
    Time switchLatency;          //!< of every switch
    uint32_t ackBytes{0};    //!< of an acknowledgement on the wire, bytes; 0: there are none, and a
                             //!< message counts as sent when its last bit has left
    uint32_t ackInterval{1}; //!< packets per acknowledgement, above 0

    /** \param bytes payload of a message \return how many headers it has, at least 1 */
    uint64_t GetHeaderCount(uint64_t bytes) const
    {
        return std::max<uint64_t>(1, (bytes + payloadBytes - 1) / payloadBytes);
    }

    /** \param bytes payload of a message \return how many pieces it has, at least 1 */
    uint64_t GetPieceCount(uint64_t bytes) const
    {
        return std::max<uint64_t>(1, (bytes + unitBytes - 1) / unitBytes);
    }

    /** \param bytes payload of a message \return what it occupies on a link, bytes */
    uint64_t GetWireBytes(uint64_t bytes) const
    {
        const uint64_t packets = GetHeaderCount(bytes);
        const uint64_t last = bytes - (packets - 1) * payloadBytes;
        return (packets - 1) * Pad(payloadBytes) + Pad(last) + packets * headerBytes +
               messageHeaderBytes;
    }

    /**
     * \param bytes payload of a message
     * \return a piece on a link: of several pieces a full one, without what only the first has, of
     * one piece all of it, bytes
     */
    uint64_t GetPieceWireBytes(uint64_t bytes) const
    {
        return GetWireBytes(std::min<uint64_t>(bytes, unitBytes)) -
               (bytes > unitBytes ? messageHeaderBytes : 0);
    }

    /** \param bytes payload of a message \return acknowledgements that it causes */
    uint64_t GetAckCount(uint64_t bytes) const
    {
        return ackBytes == 0 ? 0 : (GetHeaderCount(bytes) + ackInterval - 1) / ackInterval;
    }

    /** \return acknowledgement bytes per data byte on the wire, of long messages */
    double GetAckShare() const
    {
        return static_cast<double>(ackBytes) /
               (static_cast<double>(ackInterval) * (Pad(payloadBytes) + headerBytes));
    }

  private:
    /** \param bytes payload of a packet \return the same with padding */
    uint64_t Pad(uint64_t bytes) const
    {
        return (bytes + alignmentBytes - 1) / alignmentBytes * alignmentBytes;
    }
};

} // namespace ns3

#endif /* MESSAGE_FRAMING_H */
