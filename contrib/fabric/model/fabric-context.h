/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_CONTEXT_H
#define FABRIC_CONTEXT_H

#include "fabric-engine.h"
#include "fabric-packet.h"

#include "ns3/simple-ref-count.h"

namespace ns3
{

/** \ingroup fabric \brief Counters over a whole fabric. */
struct FabricCounters
{
    uint64_t packets{0};              //!< frames that end points and switches created
    uint64_t packetHops{0};           //!< frames that crossed a link
    uint64_t payloadBytesDelivered{0}; //!< payload that arrived in order, once
    uint64_t combined{0};             //!< frames that ended in a switch that adds up
    uint64_t drops{0};                //!< frames that a switch refused or threw away
    uint64_t linkLosses{0};           //!< frames lost on a link, corrupted ones included
    uint64_t linkCorruptions{0};      //!< of these, frames that arrived with wrong bits
    uint64_t noRoute{0};              //!< of these, those without a route, after links had failed
    uint64_t ecnMarks{0};             //!< frames marked with CE
    uint64_t cnps{0};                 //!< congestion notification packets sent
    uint64_t pfcPauses{0};            //!< PAUSE frames sent, refreshes not counted
    uint64_t pfcRefreshes{0};         //!< PAUSE frames that prolong a pause
    uint64_t pfcResumes{0};           //!< RESUME frames sent
    uint64_t retransmittedPackets{0}; //!< data frames sent again
    uint64_t timeouts{0};             //!< local ACK timers that expired with data outstanding
    uint64_t naks{0};                 //!< negative acknowledgements sent
};

/**
 * \ingroup fabric
 * \brief What the devices of one simulated fabric share: engine, packet pool, counters.
 */
class FabricContext : public SimpleRefCount<FabricContext>
{
  public:
    FabricEngine engine;     //!< event engine
    FabricPacketPool pool;   //!< packet records
    FabricCounters counters; //!< totals

    /** \param on whether arrivals are folded into the fingerprint */
    void EnableFingerprint(bool on)
    {
        m_fingerprintOn = on;
    }

    /** \return hash over (time, node, port, bytes, packet number) of every arrival so far */
    uint64_t GetFingerprint() const
    {
        return m_fingerprint;
    }

    /**
     * Folds an arrival into the fingerprint.
     * \param now ticks
     * \param node receiving node
     * \param port receiving port
     * \param packet what arrived
     */
    void NoteArrival(uint64_t now, uint32_t node, uint32_t port, const FabricPacket& packet)
    {
        counters.packetHops++;
        if (m_fingerprintOn)
        {
            Mix(now);
            Mix(static_cast<uint64_t>(node) << 32 | port);
            Mix(static_cast<uint64_t>(packet.frameBytes) << 32 | packet.psn << 8 | packet.opcode);
        }
    }

  private:
    /** \param value folded into the fingerprint (multiply and xor-shift) */
    void Mix(uint64_t value)
    {
        m_fingerprint = (m_fingerprint ^ value) * 0x9e3779b97f4a7c15ULL;
        m_fingerprint ^= m_fingerprint >> 29;
    }

    bool m_fingerprintOn{false}; //!< see EnableFingerprint()
    uint64_t m_fingerprint{0x243f6a8885a308d3ULL}; //!< running hash
};

} // namespace ns3

#endif /* FABRIC_CONTEXT_H */
