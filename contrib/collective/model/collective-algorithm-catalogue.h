/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_ALGORITHM_CATALOGUE_H
#define COLLECTIVE_ALGORITHM_CATALOGUE_H

#include "collective-kind.h"

#include "ns3/text-value.h"
#include "ns3/type-catalogue.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief The algorithms by the names that people use.
 *
 * Beside its TypeId and its short name, ns3::RingAllReduceAlgorithm and RingAllReduce, an algorithm
 * has a label among those for the same kind of collective: Ring. Case does not matter, since NCCL's
 * does not either (NCCL_ALGO=ring).
 */
class CollectiveAlgorithmCatalogue
{
  public:
    /** \param kind a kind of collective; the algorithms whose names end with it have labels */
    explicit CollectiveAlgorithmCatalogue(CollectiveKind kind);

    /** \return all algorithms, by name */
    std::vector<TypeId> GetTypes() const
    {
        return m_all.GetTypes();
    }

    /**
     * \param type an algorithm
     * \return its short name, without the kind at its end unless nothing else is left
     */
    std::string GetLabel(TypeId type) const;

    /**
     * \param typeName name of the TypeId of an algorithm, or empty
     * \return its label, empty for empty
     */
    std::string GetLabel(const std::string& typeName) const;

    /**
     * \param name label, short or full name
     * \param among the algorithms that may be meant, which the error lists
     * \return the algorithm; a ConfigError if there is none, which says whether there is such a one
     * that is not meant
     */
    TypeId Find(const TextValue& name, const std::vector<TypeId>& among) const;

  private:
    /** \param type an algorithm \param name a name \return whether it is one of the algorithm's */
    bool IsCalled(TypeId type, const std::string& name) const;

    std::string m_kind;  //!< name of the kind
    TypeCatalogue m_all; //!< all algorithms
};

} // namespace ns3

#endif /* COLLECTIVE_ALGORITHM_CATALOGUE_H */
