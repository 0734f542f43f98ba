/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_NAMES_H
#define NCCL_NAMES_H

#include "ns3/text-value.h"

#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief What NCCL calls algorithms and protocols, in whatever case people write it.
 */
class NcclNames
{
  public:
    /** \return NCCL's names of the algorithms that are offered */
    static const std::vector<std::string>& GetAlgorithms();
    /** \return NCCL's names of protocols */
    static const std::vector<std::string>& GetProtocols();

    /**
     * \param algorithm NCCL's name of an algorithm
     * \return its label among algorithms for the same kind, see CollectiveAlgorithmCatalogue
     */
    static std::string GetLabel(const std::string& algorithm);

    /** \param name a name \return NCCL's name of the algorithm; a ConfigError lists all */
    static std::string FindAlgorithm(const TextValue& name);
    /** \param name a name \return NCCL's name of the protocol; a ConfigError lists all */
    static std::string FindProtocol(const TextValue& name);

    /**
     * Reads what environment variables NCCL_ALGO and NCCL_PROTO may hold.
     * \param list names with commas between them, of those that may be used, or behind a ^ of those
     * that may not; empty for all
     * \param known all names
     * \return those that may be used
     */
    static std::vector<std::string> Filter(const TextValue& list,
                                           const std::vector<std::string>& known);
};

} // namespace ns3

#endif /* NCCL_NAMES_H */
