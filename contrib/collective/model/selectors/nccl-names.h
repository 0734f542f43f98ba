/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_NAMES_H
#define NCCL_NAMES_H

#include "ns3/collective-kind.h"
#include "ns3/text-value.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief What NCCL calls algorithms, protocols and collectives, in whatever case people write it.
 */
class NcclNames
{
  public:
    /** \return NCCL's names of the algorithms that are offered */
    static const std::vector<std::string>& GetAlgorithms();
    /** \return NCCL's names of all algorithms that it has */
    static const std::vector<std::string>& GetKnownAlgorithms();
    /** \return NCCL's names of protocols */
    static const std::vector<std::string>& GetProtocols();

    /**
     * \param algorithm NCCL's name of an algorithm
     * \return its label among algorithms for the same kind, see CollectiveAlgorithmCatalogue; empty
     * if it is not offered
     */
    static std::string GetLabel(const std::string& algorithm);

    /**
     * \param label a label among algorithms for the same kind
     * \return NCCL's name of the algorithm whose kernels do it, empty if there is none
     */
    static std::string GetKernels(const std::string& label);

    /** \param name a name \return NCCL's name of the algorithm; a ConfigError lists all known */
    static std::string FindAlgorithm(const TextValue& name);
    /** \param name a name \return NCCL's name of the protocol; a ConfigError lists all */
    static std::string FindProtocol(const TextValue& name);
    /** \param name NCCL's name of a collective \return its kind; a ConfigError lists all */
    static CollectiveKind FindKind(const TextValue& name);

    /**
     * \param kind a kind of collective
     * \return whether NCCL has algorithms for it; other kinds it sends directly
     */
    static bool HasAlgorithms(CollectiveKind kind);
};

} // namespace ns3

#endif /* NCCL_NAMES_H */
