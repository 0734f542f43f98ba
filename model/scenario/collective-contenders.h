/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_CONTENDERS_H
#define COLLECTIVE_CONTENDERS_H

#include "nccl-test.h"

#include "ns3/collective-engine.h"
#include "ns3/nccl-selector.h"
#include "ns3/topology.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief Who does the collectives of a benchmark. */
struct CollectiveContest
{
    std::vector<std::string> algorithms; //!< names; none: the selector chooses, or all compete
    std::vector<std::string> protocols;  //!< NCCL's names; none: any, or all compete
    bool isOfAlgorithms{false};          //!< algorithms side by side
    bool isOfProtocols{false};           //!< protocols side by side

    /** \return whether several may compete */
    bool IsComparison() const
    {
        return isOfAlgorithms || isOfProtocols;
    }
};

/** \ingroup railyard \brief One who competes, or the selector's choice, and its groups. */
struct CollectiveContender
{
    std::string label; //!< names of algorithm and protocol, empty for the selector's choice
    std::vector<CollectiveGroup> groups; //!< one, or one for each pair of neighbours
    std::vector<uint32_t> numbers;       //!< of the groups, from the collective engine
};

/**
 * \ingroup railyard
 * \brief Who does the collectives of a benchmark: the selector's choice, an algorithm by its name,
 * or all algorithms or protocols that can, side by side.
 *
 * Contenders have groups on channels of their own, so that none finds the connections as another
 * one left them.
 */
class CollectiveContenders
{
  public:
    /**
     * \param engine will carry out the collectives; gets groups, and a selector if algorithms or
     * protocols are named or compared
     * \param topology where the ranks are
     * \param test what they do
     * \param ranks number of ranks, on GPUs 0 and on
     */
    CollectiveContenders(Ptr<CollectiveEngine> engine,
                         const Topology& topology,
                         const NcclTest& test,
                         uint32_t ranks);

    /**
     * Chooses who competes. A ConfigError if one of the names is none of an algorithm that can do
     * one of the calls, or if somebody who is named, or everybody, cannot compete.
     * \param contest who is wanted; of one protocol that is not compared the selector knows itself
     * \param calls what is to be done; their groups are not used
     * \param costs what kernels cost, and what of them is allowed; null: nothing, and all
     */
    void Use(const CollectiveContest& contest,
             const std::vector<CollectiveCall>& calls,
             Ptr<NcclSelector> costs);

    /** \return the contenders */
    const std::vector<CollectiveContender>& GetAll() const
    {
        return m_all;
    }

    /** \return labels of those that were not named and cannot compete */
    const std::vector<std::string>& GetLeftOut() const
    {
        return m_leftOut;
    }

    /**
     * \param typeName TypeId of an algorithm, empty for none
     * \return its name among algorithms for the operation
     */
    std::string GetLabel(const std::string& typeName) const;

  private:
    /** \return the ranks of the groups of a contender, step by step: all, or pairs */
    std::vector<std::vector<uint32_t>> ListGroups() const;
    /** \brief An algorithm and a protocol. */
    struct Pair
    {
        std::optional<TypeId> algorithm; //!< none: any
        std::string protocol;            //!< empty: any
    };

    /**
     * \param contest who is wanted
     * \param calls what is to be done
     * \return who that is
     */
    std::vector<Pair> FindPairs(const CollectiveContest& contest,
                                const std::vector<CollectiveCall>& calls) const;
    /**
     * \param names names of algorithms, none for all that can
     * \param calls what is to be done
     * \return the algorithms
     */
    std::vector<TypeId> FindAlgorithms(const std::vector<std::string>& names,
                                       const std::vector<CollectiveCall>& calls) const;
    /** \param label name of a contender, or empty \return a contender, without numbers */
    CollectiveContender Make(const std::string& label) const;
    /** \param contender one more */
    void Add(CollectiveContender contender);
    /** \param calls what is to be done \return the algorithms that can do one of them, by name */
    std::vector<TypeId> FindAble(const std::vector<CollectiveCall>& calls) const;
    /**
     * \param contender a contender
     * \param selector what it is pinned in
     * \param calls what is to be done
     * \return whether it can do one of them
     */
    bool CanCompete(const CollectiveContender& contender,
                    CollectiveSelector& selector,
                    const std::vector<CollectiveCall>& calls) const;
    /**
     * Throws a ConfigError if a restriction is why a call cannot be done.
     * \param parallel parallel dimension of the group that does it
     * \param selector knows the restrictions
     * \param calls what is to be done
     */
    void Refuse(const std::string& parallel,
                CollectiveSelector& selector,
                const std::vector<CollectiveCall>& calls) const;

    Ptr<CollectiveEngine> m_engine;         //!< carries out the collectives
    const Topology& m_topology;             //!< where the ranks are
    NcclTest m_test;                        //!< what they do
    uint32_t m_ranks;                       //!< number of ranks
    std::vector<CollectiveContender> m_all; //!< the contenders
    std::vector<std::string> m_leftOut;     //!< see GetLeftOut()
};

} // namespace ns3

#endif /* COLLECTIVE_CONTENDERS_H */
