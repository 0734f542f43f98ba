/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_CONTENDERS_H
#define COLLECTIVE_CONTENDERS_H

#include "nccl-test.h"

#include "ns3/collective-engine.h"
#include "ns3/topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief An algorithm, or the selector's choice, and the groups it works on. */
struct CollectiveContender
{
    std::string label;                   //!< name of the algorithm, empty for the selector's choice
    std::vector<CollectiveGroup> groups; //!< one, or one for each pair of neighbours
    std::vector<uint32_t> numbers;       //!< of the groups, from the collective engine
};

/**
 * \ingroup railyard
 * \brief Who does the collectives of a benchmark: the selector's choice, an algorithm by its name,
 * or all that can, side by side.
 *
 * Contenders have groups on channels of their own, so that none finds the connections as another
 * one left them.
 */
class CollectiveContenders
{
  public:
    /**
     * \param engine will carry out the collectives; gets groups, and a selector if algorithms are
     * named
     * \param topology where the ranks are
     * \param test what they do
     * \param ranks number of ranks, on GPUs 0 and on
     */
    CollectiveContenders(Ptr<CollectiveEngine> engine,
                         const Topology& topology,
                         const NcclTest& test,
                         uint32_t ranks);

    /** The selector that the engine has chooses. */
    void UseSelector();

    /**
     * Algorithms compete. A ConfigError if one of the names is none of an algorithm that can do one
     * of the calls.
     * \param names names of algorithms, none for all that can
     * \param calls what is to be done; their groups are not used
     */
    void UseAlgorithms(const std::vector<std::string>& names,
                       const std::vector<CollectiveCall>& calls);

    /** \return the contenders */
    const std::vector<CollectiveContender>& GetAll() const
    {
        return m_all;
    }

    /**
     * \param typeName TypeId of an algorithm, empty for none
     * \return its name among algorithms for the operation
     */
    std::string GetLabel(const std::string& typeName) const;

  private:
    /** \param label name of an algorithm, or empty \return a contender, without numbers */
    CollectiveContender Make(const std::string& label) const;
    /** \param contender one more */
    void Add(CollectiveContender contender);
    /** \param calls what is to be done \return the algorithms that can do one of them, by name */
    std::vector<TypeId> FindAble(const std::vector<CollectiveCall>& calls) const;

    Ptr<CollectiveEngine> m_engine;         //!< carries out the collectives
    const Topology& m_topology;             //!< where the ranks are
    NcclTest m_test;                        //!< what they do
    uint32_t m_ranks;                       //!< number of ranks
    std::vector<CollectiveContender> m_all; //!< the contenders
};

} // namespace ns3

#endif /* COLLECTIVE_CONTENDERS_H */
