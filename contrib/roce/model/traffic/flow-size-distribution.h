/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_SIZE_DISTRIBUTION_H
#define FLOW_SIZE_DISTRIBUTION_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class TextFile;

/**
 * \ingroup roce
 * \brief How large flows are: a cumulative distribution of bytes, as HPCC, ConWeave and
 * ns3-datacenter have it in files (doc/formats/flow-size-distribution.md).
 *
 * Between two points of the distribution sizes are equally likely, so that its inverse is linear.
 * Two points with the same size are a share of flows that have exactly this size; two with the
 * same probability are a range of sizes that no flow has.
 */
class FlowSizeDistribution
{
  public:
    /**
     * \param path a file
     * \return what it says; a ConfigError if it cannot be read or is no distribution
     */
    static FlowSizeDistribution Read(const std::string& path);

    /** \param file its text \return what it says; a ConfigError if it is no distribution */
    static FlowSizeDistribution Read(const TextFile& file);

    /** \param bytes of every flow, 1 or more \return the distribution of one size */
    static FlowSizeDistribution Constant(uint64_t bytes);

    /**
     * \param name a name such as "web-search", or a path (with a slash, or an extension)
     * \return path of the file that is meant: shipped distributions lie in data/flow-sizes; a
     * ConfigError that lists them if there is none of that name
     */
    static std::string Find(const std::string& name);

    /** \return the mean, bytes: sum of (p_i+1 - p_i) (b_i + b_i+1) / 2 over the points */
    double GetMean() const;

    /**
     * The inverse of the distribution.
     * \param probability 0 to 1
     * \return the size, bytes, rounded to the nearest, 1 at least
     */
    uint64_t GetQuantile(double probability) const;

  private:
    /** A point of the distribution. */
    struct Point
    {
        double bytes{0};       //!< size
        double probability{0}; //!< share of flows that are not larger, 0 to 1
    };

    std::vector<Point> m_points; //!< two or more, from probability 0 to 1
};

} // namespace ns3

#endif /* FLOW_SIZE_DISTRIBUTION_H */
