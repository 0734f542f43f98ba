/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FIRST_FIT_SELECTOR_H
#define FIRST_FIT_SELECTOR_H

#include "ns3/collective-selector.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Takes the first algorithm that supports the request.
 *
 * Candidates are the TypeIds in the attribute Algorithms, in that order. Without any: files of
 * MSCCL (ns3::MscclAlgorithm::Files), the ring of each kind, or the direct exchange where there is
 * no ring, then every other registered algorithm in the order of the names, so that a new algorithm
 * changes no choice that was made before. Each is created once, with the default values of its
 * attributes.
 */
class FirstFitSelector : public CollectiveSelector
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param request a request
     * \return the algorithm, and a protocol that costs nothing
     * \throw ConfigError if the attribute Algorithms names something else than an algorithm
     */
    CollectiveChoice Select(const CollectiveRequest& request) override;

    /** \param algorithm one that is not considered; to be set before the first request */
    void LeaveOut(TypeId algorithm)
    {
        m_leftOut.push_back(algorithm);
    }

  protected:
    void DoDispose() override;

  private:
    /** \return the candidates, in order */
    std::vector<TypeId> GetCandidates() const;

    std::string m_names;                                //!< attribute Algorithms
    std::string m_createdNames;                         //!< what m_algorithms was made from
    std::vector<TypeId> m_leftOut;                      //!< see LeaveOut()
    std::vector<Ptr<CollectiveAlgorithm>> m_algorithms; //!< the candidates
};

} // namespace ns3

#endif /* FIRST_FIT_SELECTOR_H */
