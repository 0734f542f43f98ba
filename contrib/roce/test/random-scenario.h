/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RANDOM_SCENARIO_H
#define RANDOM_SCENARIO_H

#include "roce-test-network.h"

#include "ns3/link-event-file.h"

#include <cstdint>
#include <iosfwd>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup tests \brief A number generator whose draws are the same with every library. */
class ScenarioDice
{
  public:
    /** \param seed which numbers */
    explicit ScenarioDice(uint64_t seed)
        : m_engine(seed)
    {
    }

    /** \param first smallest \param last largest \return a number between them, both included */
    uint64_t Between(uint64_t first, uint64_t last)
    {
        return first + m_engine() % (last - first + 1);
    }

    /** \param percent probability \return whether it happens */
    bool Chance(uint32_t percent)
    {
        return m_engine() % 100 < percent;
    }

    /** \param choices some \tparam T what they are \return one of them */
    template <class T>
    const T& OneOf(const std::vector<T>& choices)
    {
        return choices[m_engine() % choices.size()];
    }

  private:
    std::mt19937_64 m_engine; //!< draws
};

/** \ingroup tests \brief A small network, what is sent over it and what happens to its links. */
struct RandomScenario
{
    /** A message. */
    struct Flow
    {
        Time start;          //!< when it is sent
        uint32_t src{0};     //!< sending rank
        uint32_t dst{0};     //!< receiving rank
        uint32_t channel{0}; //!< channel
        uint64_t bytes{0};   //!< payload
    };

    /**
     * Draws topology, flows, losses, link events, congestion control, load balancer, loss recovery,
     * buffers, priorities, PFC, how NICs choose among their ports, schedulers of ports, classes.
     * \param seed which
     */
    explicit RandomScenario(uint64_t seed);

    uint64_t seed;                 //!< which
    Topology topology;             //!< the network
    RoceTestOptions options;       //!< how devices are set, but for the engine
    std::vector<Flow> flows;       //!< by start
    std::vector<LinkEvent> events; //!< by time
    std::vector<uint32_t> classes; //!< traffic class by channel; none: that of the NIC
    std::vector<std::pair<std::string, std::string>> defaults; //!< of attributes, by full name
    bool cutThrough{false};        //!< switches forward heads of frames
    bool pfc{true};                //!< switches pause
    bool mayDeadlock{false};       //!< PFC, and routes that may go around
    std::string description;       //!< all of it in a line

  private:
    /** Draws the topology. \param dice numbers */
    void DrawTopology(ScenarioDice& dice);
    /** \param dice numbers \param slow to take from the slow rates only; draws the new link's rate,
     * delay and loss \param a one end \param b other end \param count parallel links */
    void Link(ScenarioDice& dice, uint32_t a, uint32_t b, uint64_t count = 1);
    /** Draws what devices are like. \param dice numbers */
    void DrawOptions(ScenarioDice& dice);
    /** Draws the flows. \param dice numbers */
    void DrawFlows(ScenarioDice& dice);
    /** Draws the link events. \param dice numbers */
    void DrawEvents(ScenarioDice& dice);
    /** Draws how NICs choose ports, schedulers, marks, classes. \param dice numbers */
    void DrawPortsAndClasses(ScenarioDice& dice);
    /** Adds hosts. \param hosts how many \param switches how many */
    void AddNodes(uint32_t hosts, uint32_t switches);

    double m_lossRate{0};     //!< of links
    double m_bitErrorRate{0}; //!< of links
    bool m_twoTiers{true};    //!< no host is on two switches, no spine joined to another: CONGA runs
    uint64_t m_meanDelay{0};  //!< of links, ns
};

/** \ingroup tests \brief All that a run of a RandomScenario gave, for comparisons. */
struct ScenarioOutcome
{
    uint64_t fingerprint{0};        //!< over all arrivals
    std::vector<Time> times;        //!< by flow: received, acknowledged
    FabricCounters counters;        //!< totals
    std::vector<std::string> lines; //!< what is pending, failures first
    bool deadlock{false};           //!< PFC deadlock or storm, found and named

    /** \param o another \return whether they are the same */
    bool operator==(const ScenarioOutcome& o) const;
};

/**
 * \ingroup tests
 * \brief Runs a scenario to its end and checks what must hold in every run.
 * \param scenario what to run
 * \param engine event engine
 * \return what it gave
 */
ScenarioOutcome PlayScenario(const RandomScenario& scenario, const std::string& engine);

/** \param out stream \param outcome printed in a few lines \return the stream */
std::ostream& operator<<(std::ostream& out, const ScenarioOutcome& outcome);

} // namespace ns3

#endif /* RANDOM_SCENARIO_H */
