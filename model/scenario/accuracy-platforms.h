/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ACCURACY_PLATFORMS_H
#define ACCURACY_PLATFORMS_H

#include "nccl-variables.h"

#include "ns3/nstime.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief How a platform that somebody measured is simulated. */
struct AccuracyPlatform
{
    std::string single;        //!< topology of one server
    std::string several;       //!< topology of servers, without their number; empty: not simulated
    std::string gpu;           //!< entry of section collectives of the hardware table
    Time networkLatency;       //!< attribute NetworkLatency of NcclSelector
    Time hostLaunch;           //!< attribute HostLaunch of NcclSelector
    uint32_t nodes{1};         //!< what tables count as servers, in one server of the topology
    NcclVariables environment; //!< what its operator sets for NCCL

    /**
     * \param measured servers, as tables count them
     * \return servers of the topology
     */
    uint32_t GetServers(uint32_t measured) const
    {
        return (measured + nodes - 1) / nodes;
    }
};

/**
 * \ingroup railyard
 * \brief The platforms of tables of timed collectives: validation/platforms.json, or a file like it
 * (doc/formats/accuracy.md).
 */
class AccuracyPlatforms
{
  public:
    /** \param path the file; a ConfigError with file and key if it is wrong */
    explicit AccuracyPlatforms(const std::string& path);

    /** \return the file that comes with Railyard */
    static std::string GetShippedPath();

    /** \param name name of a platform in a table \return how it is simulated, nullptr if unknown */
    const AccuracyPlatform* Find(const std::string& name) const;

  private:
    std::map<std::string, AccuracyPlatform> m_platforms; //!< by name
};

} // namespace ns3

#endif /* ACCURACY_PLATFORMS_H */
