/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_SELECTOR_H
#define NCCL_SELECTOR_H

#include "first-fit-selector.h"
#include "nccl-list.h"
#include "nccl-tuner-file.h"

#include "ns3/collective-costs.h"
#include "ns3/collective-selector.h"
#include "ns3/msccl-algorithm.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Chooses as NCCL does: of all algorithms and protocols that can do the request the pair
 * whose estimated time is least, and lets ranks pay what the kernels of the GPU cost.
 *
 * What kernels cost are the parameters of attribute Gpu; by which parameters is chosen is another
 * question: attribute Tuning, empty for what the entry of the GPU names, or for that entry itself,
 * names one such as nccl-sm90, which has NCCL's own constants. Kinds that NCCL sends directly
 * (AllToAll, Gather, Scatter, SendRecv) go by FirstFitSelector, with the costs of P2P.
 *
 * Restrictions narrow what there is to choose from: a pinned algorithm, Algorithms (NCCL_ALGO), a
 * pinned protocol (a pin or attribute Protocol), Protocols (NCCL_PROTO). All of them hold. Of what
 * they leave, algorithms of MSCCL (MscclAlgorithm) come first, as MSCCL's do, and pay the costs of
 * Ring, then a table (TunerFile) chooses, then the estimate.
 *
 * Small operands use fewer channels, and trees the slices of the protocol, as NCCL has them
 * (NcclDivision), also with a pinned ring or tree, a single one among them.
 *
 * Not modelled: PAT, of which no costs are known; buffers registered by the user.
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

    /** \brief What a request is to be done with, whatever the estimates say. */
    struct Pin
    {
        std::optional<TypeId> algorithm; //!< made with the defaults of its attributes; none: any
        std::string protocol;            //!< NCCL's name; empty: any
    };

    /**
     * \param request a request that is not empty
     * \return all ways that are allowed and possible, the fastest first
     */
    std::vector<Candidate> GetCandidates(const CollectiveRequest& request);

    CollectiveChoice Select(const CollectiveRequest& request) override;
    CollectiveRefusal Explain(const CollectiveRequest& request) override;

    /**
     * \param request a request that is not empty
     * \param pin what it is to be done with
     * \return algorithm and protocol; no algorithm if no costs are known of what is pinned, or it
     * is not allowed
     */
    CollectiveChoice Select(const CollectiveRequest& request, const Pin& pin);

    /**
     * \param request a request that Select() refuses
     * \param pin what it is to be done with
     * \return the restriction that leaves nothing: an algorithm or a protocol that is pinned,
     * NCCL_ALGO or NCCL_PROTO
     */
    CollectiveRefusal Explain(const CollectiveRequest& request, const Pin& pin);

  protected:
    void DoDispose() override;

  private:
    /** \brief Something that narrows the choice. */
    struct Restriction
    {
        std::string option;                           //!< its name
        std::string value;                            //!< its value
        bool isOfProtocols;                           //!< not of algorithms
        std::function<bool(const Candidate&)> allows; //!< what is left
    };

    /** Reads the attributes, at the first request. */
    void Prepare();

    /**
     * \param kind a kind of collective
     * \param choice kernels, P2P among them, and how they divide operands
     * \param pinned what is made; none: the algorithm of the kernels' name
     * \return the algorithm, null if there is none for the kind
     */
    Ptr<CollectiveAlgorithm> GetAlgorithm(CollectiveKind kind,
                                          const NcclChoice& choice,
                                          const std::optional<TypeId>& pinned);

    /**
     * \param request a request
     * \param choice kernels, P2P among them, and how they divide operands
     * \param pinned what is pinned, none for nothing
     * \return what carries it out, null if nothing does
     */
    Ptr<CollectiveAlgorithm> Resolve(const CollectiveRequest& request,
                                     const NcclChoice& choice,
                                     const std::optional<TypeId>& pinned);

    /**
     * \param request a request
     * \param pin what is pinned
     * \return the file of MSCCL for it, no algorithm if there is none or it is not allowed
     */
    CollectiveChoice SelectOfFiles(const CollectiveRequest& request, const Pin& pin);

    /**
     * \param request a request that is not empty
     * \param pinned the only algorithm, none for all
     * \return all ways whose costs are known, restricted or not, in NCCL's order
     */
    std::vector<Candidate> GetWays(const CollectiveRequest& request,
                                   const std::optional<TypeId>& pinned);

    /**
     * \param request a request
     * \param pin what is pinned
     * \return all restrictions, in the order in which they are looked at; that of a pinned
     * algorithm comes first
     */
    std::vector<Restriction> GetRestrictions(const CollectiveRequest& request,
                                             const Pin& pin) const;

    /**
     * \param request a request that is not empty
     * \param pin what is pinned
     * \return all ways that are allowed and possible, the fastest first
     */
    std::vector<Candidate> GetCandidates(const CollectiveRequest& request, const Pin& pin);

    /**
     * \param request a request that there are no candidates for
     * \param pin what is pinned
     * \return how it is done without costs, if NCCL sends it directly and none are known of that
     */
    CollectiveChoice SelectWithoutCosts(const CollectiveRequest& request, const Pin& pin);

    std::string m_gpu;        //!< attribute Gpu
    std::string m_tuning;     //!< attribute Tuning
    std::string m_algorithms; //!< attribute Algorithms
    std::string m_protocols;  //!< attribute Protocols
    std::string m_protocol;   //!< attribute Protocol
    std::string m_tunerFile;  //!< attribute TunerFile
    DataRate m_intraRate;     //!< attribute IntraRate
    DataRate m_interRate;     //!< attribute InterRate
    Time m_networkLatency;    //!< attribute NetworkLatency
    Time m_hostLaunch;        //!< attribute HostLaunch
    uint64_t m_channelTraffic; //!< attribute ChannelTraffic

    CollectiveSurroundings m_surroundings;     //!< the cluster
    std::unique_ptr<CollectiveCosts> m_costs;  //!< what ranks pay
    std::unique_ptr<CollectiveCosts> m_choice; //!< by which is chosen
    std::unique_ptr<NcclTunerFile> m_table;    //!< comes first, null for none
    NcclList m_allowed;                        //!< algorithms that may be used
    NcclList m_allowedProtocols;               //!< protocols that may be used
    Ptr<FirstFitSelector> m_direct;            //!< for what is sent directly
    Ptr<MscclAlgorithm> m_files;               //!< of MSCCL, read once for all kinds
    /** Kind, NCCL's names of algorithm and protocol, channels, what is pinned. */
    using Making =
        std::tuple<CollectiveKind, std::string, std::string, uint32_t, std::optional<TypeId>>;
    std::map<Making, Ptr<CollectiveAlgorithm>> m_made; //!< algorithms, null where there is none
};

} // namespace ns3

#endif /* NCCL_SELECTOR_H */
