/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_SELECTOR_H
#define NCCL_SELECTOR_H

#include "first-fit-selector.h"
#include "nccl-tuner-file.h"

#include "ns3/collective-costs.h"
#include "ns3/collective-selector.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Chooses as NCCL does: of all algorithms and protocols that can do the request the pair
 * whose estimated time is least, and lets ranks pay what the kernels of the GPU cost.
 *
 * What kernels cost are the parameters of attribute Gpu; by which parameters is chosen is another
 * question: attribute Tuning, which is empty for those of the GPU, names an entry such as nccl-sm90
 * for NCCL's own constants. A table (TunerFile) comes first, where what it names is allowed and
 * possible. Kinds that NCCL sends directly (AllToAll, Gather, Scatter, SendRecv) go by
 * FirstFitSelector, with the protocol that is fastest of those whose costs are known.
 *
 * Not modelled: PAT and CollNet, of which no costs are known; NCCL's correction factors for trees
 * of some sizes, fewer channels for small operands, buffers registered by the user.
 */
class NcclSelector : public CollectiveSelector
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    NcclSelector();
    ~NcclSelector() override;

    /** \brief A way to carry out a request. */
    struct Candidate
    {
        std::string algorithm; //!< NCCL's name
        std::string protocol;  //!< NCCL's name
        double microseconds;   //!< estimated time
    };

    /**
     * \param request a request that is not empty
     * \return all ways that are allowed and possible, the fastest first
     */
    std::vector<Candidate> GetCandidates(const CollectiveRequest& request);

    CollectiveChoice Select(const CollectiveRequest& request) override;

  protected:
    void DoDispose() override;

  private:
    /** Reads the attributes, at the first request. */
    void Prepare();

    /**
     * \param kind a kind of collective
     * \param algorithm NCCL's name
     * \return the algorithm, null if there is none for the kind
     */
    Ptr<CollectiveAlgorithm> GetAlgorithm(CollectiveKind kind, const std::string& algorithm);

    /**
     * \param request a request that NCCL sends directly
     * \return how
     */
    CollectiveChoice SelectDirect(const CollectiveRequest& request);

    std::string m_gpu;                     //!< attribute Gpu
    std::string m_tuning;                  //!< attribute Tuning
    std::string m_algorithms;              //!< attribute Algorithms
    std::string m_protocols;               //!< attribute Protocols
    std::string m_tunerFile;               //!< attribute TunerFile
    DataRate m_intraRate;                  //!< attribute IntraRate
    DataRate m_interRate;                  //!< attribute InterRate
    Time m_networkLatency;                 //!< attribute NetworkLatency
    Time m_hostLaunch;                     //!< attribute HostLaunch

    CollectiveSurroundings m_surroundings;       //!< the cluster
    std::unique_ptr<CollectiveCosts> m_costs;    //!< what ranks pay
    std::unique_ptr<CollectiveCosts> m_choice;   //!< by which is chosen
    std::unique_ptr<NcclTunerFile> m_table;      //!< comes first, null for none
    std::vector<std::string> m_allowed;          //!< algorithms that may be used
    std::vector<std::string> m_allowedProtocols; //!< protocols that may be used
    Ptr<FirstFitSelector> m_direct;              //!< for what is sent directly
    std::map<std::pair<CollectiveKind, std::string>, Ptr<CollectiveAlgorithm>>
        m_made; //!< algorithms by kind and NCCL's name
};

} // namespace ns3

#endif /* NCCL_SELECTOR_H */
