/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_HELPER_H
#define COLLECTIVE_HELPER_H

#include "ns3/collective-engine.h"
#include "ns3/collective-group.h"
#include "ns3/message-transport.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Creates collective engines, and groups whose placement comes from a Topology.
 */
class CollectiveHelper
{
  public:
    CollectiveHelper();

    /**
     * \param name an attribute of CollectiveEngine
     * \param value its value
     */
    void SetEngineAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \param transport carries the messages
     * \return an engine over it
     */
    Ptr<CollectiveEngine> Install(Ptr<MessageTransport> transport) const;

    /**
     * One group; CollectiveGroupMaker makes many of the same topology.
     * \param topology where the ranks are placed; the rank of a GPU is its node
     * \param name see CollectiveGroup::name
     * \param parallel see CollectiveGroup::parallel
     * \param ranks see CollectiveGroup::ranks
     * \return the group
     * \throw ConfigError if the topology has no such rank, or there is none or one twice
     */
    static CollectiveGroup MakeGroup(const Topology& topology,
                                     const std::string& name,
                                     const std::string& parallel,
                                     const std::vector<uint32_t>& ranks);

    /**
     * \param topology where the ranks are placed
     * \param name see CollectiveGroup::name
     * \param parallel see CollectiveGroup::parallel
     * \return the group of all GPUs, in their order
     */
    static CollectiveGroup MakeGroup(const Topology& topology,
                                     const std::string& name,
                                     const std::string& parallel);

  private:
    ObjectFactory m_factory; //!< makes the engines
};

} // namespace ns3

#endif /* COLLECTIVE_HELPER_H */
