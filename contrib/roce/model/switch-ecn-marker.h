/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SWITCH_ECN_MARKER_H
#define SWITCH_ECN_MARKER_H

#include "red-ecn-marker.h"

#include "ns3/fabric-port.h"
#include "ns3/rng-stream.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief How the ports of a switch mark. */
struct EcnSettings
{
    EcnThresholds thresholds; //!< at the reference rate
    DataRate referenceRate;   //!< rate at which they hold, 0: at every rate

    /**
     * \param rateBps rate of a port, bit/s
     * \return its thresholds, whose lengths grow in proportion to the rate
     */
    EcnThresholds Scale(uint64_t rateBps) const;
};

/**
 * \ingroup roce
 * \brief Marks the packets that leave a switch: a RedEcnMarker and a random stream for every port.
 *
 * No port's marks depend on another's. Nothing is drawn where the answer is certain.
 */
class SwitchEcnMarker
{
  public:
    /** Adds a port, which marks nothing before Start(). */
    void AddPort();

    /**
     * Gives every port whose thresholds were not set one by one those that follow from its rate.
     * \param settings how to mark
     * \param rates rate of each port, bit/s
     */
    void Start(const EcnSettings& settings, const std::vector<uint64_t>& rates);

    /** \param port port number \param thresholds in force from now on, whatever Start() is told */
    void SetThresholds(uint32_t port, const EcnThresholds& thresholds);

    /** \param port port number \return whether its thresholds were set one by one */
    bool IsSet(uint32_t port) const
    {
        return m_ports.at(port).set;
    }

    /** \param port port number \return its thresholds */
    const EcnThresholds& GetThresholds(uint32_t port) const
    {
        return m_ports.at(port).marker.GetThresholds();
    }

    /** \param stream first random stream to use \return number of streams used */
    int64_t AssignStreams(int64_t stream);

    /**
     * \param port port number
     * \param queueBytes length of the queue that a packet leaves
     * \return whether it is to be marked
     */
    bool ShouldMark(uint32_t port, uint64_t queueBytes)
    {
        const double probability = m_ports[port].marker.GetProbability(queueBytes);
        return probability > 0 && (probability >= 1 || Draw(m_ports[port]) < probability);
    }

  private:
    /** A port. */
    struct Port
    {
        RedEcnMarker marker;               //!< its thresholds
        bool set{false};                   //!< they were set one by one
        uint64_t stream{0};                //!< stream of its draws
        std::unique_ptr<RngStream> random; //!< made when first needed
    };

    /** \param port a port \return uniform between 0 and 1 */
    static double Draw(Port& port);

    std::vector<Port> m_ports; //!< by number
};

} // namespace ns3

#endif /* SWITCH_ECN_MARKER_H */
