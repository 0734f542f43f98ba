/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TOPOLOGY_FILE_READER_H
#define TOPOLOGY_FILE_READER_H

#include "text-scanner.h"
#include "topology.h"

#include "ns3/object.h"

#include <string>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Reads one form of topology file.
 *
 * Every subclass with a constructor that is registered as a TypeId takes part: ReadTopologyFile()
 * asks each whether it recognises the file. A further format is one subclass in
 * model/topology-reader/ and its line in CMakeLists.txt.
 *
 * (Not called TopologyReader: ns-3's topology-read module has a class of that name.)
 */
class TopologyFileReader : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \return the form of the first line, for people: "HPCC: nodes switches links" */
    virtual std::string GetForm() const = 0;

    /**
     * Looks at no more than the shape of the file's beginning, so that a file of this form with a
     * wrong value in it is still recognised, and Read() can name the value.
     *
     * \param file a file
     * \return true if the file has this reader's form
     */
    virtual bool Recognises(const TextFile& file) const = 0;

    /**
     * \param file a file that is recognised
     * \return the topology; a ConfigError with file and line if the file is wrong
     */
    virtual Topology Read(const TextFile& file) const = 0;
};

/**
 * \ingroup fabric
 * \param file a topology file of any form that a reader recognises
 * \return the topology; a ConfigError that lists the known forms if none recognises it
 */
Topology ReadTopologyFile(const TextFile& file);

} // namespace ns3

#endif /* TOPOLOGY_FILE_READER_H */
