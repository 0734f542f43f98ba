/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_LINK_H
#define FABRIC_LINK_H

#include "fabric-packet.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/** \ingroup fabric \brief One direction of a link, as a port needs it. */
struct FabricLinkParameters
{
    uint64_t rateBps{0};      //!< bit rate
    uint64_t delay{0};        //!< propagation delay, ticks
    uint32_t gapBytes{0};     //!< preamble and gap around each frame, bytes
    double lossRate{0};       //!< probability that a frame is lost
    double bitErrorRate{0};   //!< probability that a bit of a frame is wrong, each by itself
};

/** \ingroup fabric \brief What becomes of a frame on a link. */
enum class LinkFate : uint8_t
{
    ARRIVES,   //!< it arrives
    LOST,      //!< nothing arrives
    CORRUPTED, //!< bits are wrong: whoever receives it throws it away by its check sequence
};

/**
 * \ingroup fabric
 * \brief One direction of a link in the course of a run: its rate, its losses, its cuts.
 *
 * Bit errors are independent: a frame of n bytes between preamble and gap is corrupted with
 * probability 1 - (1 - bitErrorRate)^(8 n). Preamble and gap do not count: nobody checks them.
 */
class FabricLink
{
  public:
    /** \param parameters the link as it is configured, up */
    void Configure(const FabricLinkParameters& parameters);

    /** \return the link as it was configured */
    const FabricLinkParameters& GetParameters() const
    {
        return m_parameters;
    }

    /** \param rateBps rate from now on, bit/s */
    void SetRateBps(uint64_t rateBps)
    {
        m_rateBps = rateBps;
    }

    /** \param lossRate probability that a frame that arrives from now on is lost, in [0, 1) */
    void SetLossRate(double lossRate);

    /** \param bitErrorRate probability that a bit of it is wrong, in [0, 1) */
    void SetBitErrorRate(double bitErrorRate);

    /** \return present rate, bit/s */
    uint64_t GetRateBps() const
    {
        return m_rateBps;
    }

    /** \param up whether it carries frames from now on \param now ticks */
    void SetUp(bool up, uint64_t now);

    /** \return whether it carries frames */
    bool IsUp() const
    {
        return m_up;
    }

    /** \return whether a frame may ever be lost: it draws, or was cut at least once */
    bool MayLose() const
    {
        return m_loss || m_bitErrors || m_fails;
    }

    /** \return whether it draws for bit errors */
    bool HasBitErrors() const
    {
        return m_bitErrors != nullptr;
    }

    /**
     * Draws what becomes of a frame that arrives now.
     * \param packet the frame, with packet.start the time at which it left
     * \return its fate
     */
    LinkFate Draw(const FabricPacket& packet);

    /**
     * \param stream number of the random stream of losses; bit errors that set in later have that
     * number plus 2^40
     */
    void SetLossStream(int64_t stream);

    /** \param stream number of the random stream of bit errors */
    void SetBitErrorStream(int64_t stream);

  private:
    FabricLinkParameters m_parameters; //!< as configured
    Ptr<UniformRandomVariable> m_loss; //!< draws for losses, if any
    Ptr<UniformRandomVariable> m_bitErrors; //!< draws for bit errors, if any
    int64_t m_stream{-1};              //!< random stream of losses, -1: any
    double m_lossRate{0};              //!< present probability that a frame is lost
    double m_logIntact{0};             //!< logarithm of the probability that a bit is right
    uint64_t m_rateBps{0};             //!< present rate
    bool m_fails{false};               //!< was cut at least once
    bool m_up{true};                   //!< carries frames
    uint64_t m_upSince{0};             //!< when it was last mended, ticks
};

} // namespace ns3

#endif /* FABRIC_LINK_H */
