/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_GROUP_MAKER_H
#define COLLECTIVE_GROUP_MAKER_H

#include "ns3/collective-group.h"
#include "ns3/topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Makes groups of the GPUs of a Topology, which says where they stand and which NICs they
 * use. It keeps what it needs of the topology.
 */
class CollectiveGroupMaker
{
  public:
    /** \param topology where the ranks are placed; the rank of a GPU is its node */
    explicit CollectiveGroupMaker(const Topology& topology);

    /**
     * A rank whose server the topology does not know counts as a server of its own.
     * \param name see CollectiveGroup::name
     * \param parallel see CollectiveGroup::parallel
     * \param ranks see CollectiveGroup::ranks
     * \return the group
     * \throw ConfigError if the topology has no such rank, or there is none or one twice
     */
    CollectiveGroup Make(const std::string& name,
                         const std::string& parallel,
                         const std::vector<uint32_t>& ranks) const;

  private:
    /** \brief What a group has to know of a GPU. */
    struct Place
    {
        uint32_t server; //!< see CollectiveGroup::servers
        uint32_t nic;    //!< see CollectiveGroup::nics: of the GPU whose NIC it uses
        uint32_t nics;   //!< how many it has or shares
    };

    std::string m_source;        //!< the topology's file, for errors
    std::vector<Place> m_places; //!< by rank
};

} // namespace ns3

#endif /* COLLECTIVE_GROUP_MAKER_H */
