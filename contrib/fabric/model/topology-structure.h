/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TOPOLOGY_STRUCTURE_H
#define TOPOLOGY_STRUCTURE_H

#include "topology-parameters.h"
#include "topology.h"

#include "ns3/object.h"

#include <string>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A kind of network that topology templates are made of: star, fat tree, ...
 *
 * Templates name it by its TypeId. A further structure is one subclass in
 * model/topology-structure/, its line in CMakeLists.txt, and a JSON file.
 */
class TopologyStructure : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param parameters values of the template's parameters
     * \return the topology; a ConfigError if values do not go together
     */
    virtual Topology Build(const TopologyParameters& parameters) const = 0;

    /**
     * \param name a TypeId name
     * \return true if a structure of that name can be created
     */
    static bool IsKnown(const std::string& name);

    /**
     * \param name TypeId name of a structure that is known
     * \return the structure
     */
    static Ptr<TopologyStructure> Create(const std::string& name);
};

} // namespace ns3

#endif /* TOPOLOGY_STRUCTURE_H */
