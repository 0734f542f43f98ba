/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MAX_MIN_ALLOCATOR_H
#define MAX_MIN_ALLOCATOR_H

#include "ns3/fetch-lines.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Max-min fair rates of fluid flows over shared resources, kept up to date incrementally.
 *
 * A resource is a direction of a link, or of a bundle of links that are always used together. A
 * flow uses several, each with a weight: with rate x it takes x * weight / FULL of the resource.
 * The rates are those of progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2): all
 * rates rise alike until a resource is full, whose flows stay there; the others rise on.
 *
 * Incremental: a flow can never be faster than the smallest capacity on its way (its bound).
 * A resource that could serve all its flows at their bounds holds nobody back, so it joins nothing
 * together. What changed flows are joined to by other resources is filled anew as long as that is
 * little. Where it is more, a sweep follows what really changes, from the lowest rate up: every
 * flow is held back by its bound or by a resource, at its rate; what is held back lower than the
 * first change stays; a resource is looked at again when a flow that uses it has changed. The rates
 * are the same, bit for bit.
 *
 * Acknowledgements take capacity in the other direction: a resource gives up ackShare of the load
 * of its reverse. It follows that load in steps of 1/16 of its capacity, which keeps the change of
 * a flow from running through all links of a cluster: an error of at most ackShare / 16.
 *
 * Rates are integers of 2^-10 bit/s, so that nothing depends on the order of sums, and a rate is
 * computed from capacities each time, so that no error grows.
 */
class MaxMinAllocator
{
  public:
    /** A rate of 1 bit/s. */
    static constexpr uint64_t BPS = 1ULL << 10;
    /** Weight of a flow that takes as much of a resource as its rate. */
    static constexpr uint32_t FULL = 1U << 20;
    /** No resource. */
    static constexpr uint32_t NONE = UINT32_MAX;
    /** Largest capacity, bit/s. */
    static constexpr uint64_t MAX_BPS = 1ULL << 50;

    /** \brief A flow's use of a resource. */
    struct Use
    {
        uint32_t resource{0};  //!< number of the resource
        uint32_t weight{FULL}; //!< share of the flow's rate that goes there, above 0
    };

    /** Flows that are filled anew, by default, before a sweep is less work. */
    static constexpr std::size_t MOST_FILLED = 48;

    /** \param mostFilled flows that are filled anew; more are swept, with the same rates, if not
     * half of them may change, as the last time; 0: all are swept */
    explicit MaxMinAllocator(std::size_t mostFilled = MOST_FILLED)
        : m_mostFilled(mostFilled)
    {
    }

    /**
     * \param capacityBps above 0, at most MAX_BPS, bit/s
     * \return number of the new resource, from 0
     */
    uint32_t AddResource(uint64_t capacityBps);

    /**
     * Two resources are the directions of a link; to be called before the first flow.
     * \param a a resource
     * \param b the other
     * \param ackShare load that a flow in one direction causes in the other, per its own, below 1
     */
    void JoinDirections(uint32_t a, uint32_t b, double ackShare);

    /**
     * \param uses what it uses, each resource once, at least one
     * \return number of the new flow, from 0; it is idle
     */
    uint32_t AddFlow(const std::vector<Use>& uses);

    /**
     * \param flow an idle flow, which begins. If nobody holds it back, and nothing acknowledges it,
     * it has its rate at once, else after Update()
     */
    void Activate(uint32_t flow);

    /** \param flow an active flow, which ends; its rate is 0 */
    void Deactivate(uint32_t flow);

    /** \return whether rates may have to change: Update() has something to do */
    bool IsDirty() const
    {
        return !m_dirty.empty() || !m_shifted.empty();
    }

    /**
     * Brings all rates up to date.
     * \return flows whose rate changed, in no order, each one or more times; valid until the next
     * call
     */
    const std::vector<uint32_t>& Update();

    /** \param flow a flow \return its rate, 2^-10 bit/s */
    uint64_t GetRate(uint32_t flow) const
    {
        return m_flows[flow].rate;
    }

    /** \param flow a flow \return whether it is active */
    bool IsActive(uint32_t flow) const
    {
        return m_flows[flow].active;
    }

    /** \brief Where a flow's state lies, to fetch its memory ahead. */
    struct Places
    {
        uint32_t flow{0};   //!< number of the flow
        uint32_t member{0}; //!< first of its uses
        uint32_t first{0};  //!< resource that it uses first
        uint32_t last{0};   //!< resource that it uses last
    };

    /** \param flow a flow \return where its state lies */
    Places GetPlaces(uint32_t flow) const
    {
        const Flow& f = m_flows[flow];
        return {flow,
                f.first,
                m_members[f.first].resource,
                m_members[f.first + f.count - 1].resource};
    }

    /** \param places of a flow that will begin or end: fetches its memory */
    void Prefetch(const Places& places) const
    {
        FetchLines(&m_flows[places.flow]);
        FetchLines(&m_members[places.member]);
        FetchLines(&m_resources[places.first]);
        FetchLines(&m_resources[places.last]);
    }

    /** \return flows whose rates were computed so far, a measure of work */
    uint64_t GetComputedCount() const
    {
        return m_computedCount;
    }

  private:
    /** \brief A flow's use of a resource, and its place there. */
    struct Member
    {
        uint32_t resource; //!< number of the resource
        uint32_t weight;   //!< see Use
        uint32_t place;    //!< index in Resource::tenants, while the flow is active
    };

    /** \brief A flow. */
    struct alignas(64) Flow
    {
        uint64_t rate{0};         //!< 2^-10 bit/s
        uint64_t bound{0};        //!< rate that it has alone, 2^-10 bit/s
        uint64_t found{0};        //!< while filling: its new rate, 0 until that is found
        uint64_t visit{0};        //!< last round that it took part in
        uint32_t first{0};        //!< of its uses in m_members
        uint32_t count{0};        //!< number of uses
        uint32_t narrowest{0};    //!< resource that sets the bound
        uint32_t by{NONE};        //!< resource that holds it back at its rate; NONE: its bound
        bool active{false};       //!< between Activate() and Deactivate()
        bool acknowledged{false}; //!< it uses a resource with a reverse
        bool undivided{true};     //!< all its uses have the weight FULL
    };

    /** \brief An active flow at a resource. */
    struct Tenant
    {
        uint32_t member; //!< its use of the resource, in m_members
        uint32_t flow;   //!< number of the flow
    };

    /** \brief A resource; what flows that come and go alone touch stands first. */
    struct alignas(64) Resource
    {
        unsigned __int128 wanted{0}; //!< sum of what its flows would take at their bounds
        uint64_t available{0};       //!< capacity less acknowledgements, 2^-10 bit/s
        boost::container::small_vector<Tenant, 1> tenants; //!< active flows
        uint32_t reverse{NONE};                            //!< the other direction
        bool dirty{false};                                 //!< in m_dirty
        bool shifted{false};                               //!< in m_shifted
        bool stale{false};                                 //!< in m_stale
        uint32_t ackShare{0};                              //!< in 2^-32
        uint64_t capacity{0};                              //!< 2^-10 bit/s
        uint64_t load{0};       //!< sum of what they take; kept only with a reverse
        uint64_t seenLoad{0};   //!< of the reverse, as in available
        uint64_t left{0};       //!< while filling: not taken by flows whose rate is found
        uint64_t leftWeight{0}; //!< while filling: of the other flows
        uint64_t level{0};      //!< in a sweep: rate at which it will hold flows back, or 0
        uint64_t visit{0};      //!< last round that it took part in
    };

    /** The rate at which a resource will be full, and the resource. */
    using Level = std::pair<uint64_t, uint32_t>;

    /** When filling comes to a flow: its rate, and the resource that holds it back, by 1 higher. */
    using Key = std::pair<uint64_t, uint32_t>;

    /** \brief In a sweep: a flow that something else holds back, at a resource. */
    struct Guest
    {
        Key key;         //!< when filling comes to it
        uint32_t weight; //!< of its use
    };

    /** \param resource a resource \return whether it can hold somebody back */
    static bool IsTight(const Resource& resource)
    {
        return resource.wanted > resource.available;
    }

    /** \param rate a rate \param weight a weight \return what it takes */
    static uint64_t Scale(uint64_t rate, uint32_t weight)
    {
        return weight == FULL
                   ? rate
                   : static_cast<uint64_t>(static_cast<unsigned __int128>(rate) * weight / FULL);
    }

    /** \param resource number of a resource, which is looked at by the next Update() */
    void MarkDirty(uint32_t resource);
    /** \param flow number of a flow \param rate its new rate */
    void SetRate(uint32_t flow, uint64_t rate)
    {
        if (m_flows[flow].acknowledged)
        {
            ShiftLoads(flow, rate);
        }
        m_flows[flow].rate = rate;
    }

    /** \param flow number of an acknowledged flow \param rate its new rate: its resources' loads
     * follow */
    void ShiftLoads(uint32_t flow, uint64_t rate);
    /** \param resource number of a resource whose reverse may have to follow */
    void MarkShifted(uint32_t resource);
    /** \param resource a resource \return its load, or what it may be if flows begin there */
    static uint64_t ExpectLoad(const Resource& resource);
    /** Marks what has to follow a load that has changed. */
    void CheckReverses();
    /** \param resource a resource whose flows, and all that they are joined to, are computed
     * \return whether these are few; else nothing was done */
    bool Solve(uint32_t resource);
    /**
     * Finds what is joined to a resource.
     * \param resource the resource
     * \param most flows that are looked for
     * \return whether there are no more
     */
    bool Gather(uint32_t resource, std::size_t most);
    /** \param flow becomes part of what is being computed, with its tight resources */
    void Visit(uint32_t flow);
    /** Finds the rates of all flows that are being computed. */
    void Fill();
    /** \return the resource that will be full first, or nothing to fill; heads the heap */
    Level FindFullest();
    /** Moves the front of the heap, which may be too large there, to its place. */
    void SinkFront();
    /** Gives the flows that were computed their rates. */
    void Apply();
    /** \param resource a resource \return rate at which it will be full */
    static uint64_t GetLevel(const Resource& resource)
    {
        return GetLevel(resource.left, resource.leftWeight);
    }

    /** \param left of a resource \param weight of its flows \return rate at which they fill it */
    static uint64_t GetLevel(uint64_t left, uint64_t weight);
    /** \param flow a flow \param rate its rate, if it has none yet \param by what holds it back, or
     * NONE \return whether it had none */
    bool Freeze(uint32_t flow, uint64_t rate, uint32_t by);

    /** \param first of the resources in m_work whose flows, and what changes with them, are
     * computed */
    void Sweep(std::size_t first);
    /** \param flow a flow \return its rate so far, or 0 if that is open */
    uint64_t GetPresent(const Flow& flow) const
    {
        return flow.visit == m_round ? flow.found : flow.rate;
    }

    /** \param resource where a sweep begins: what it cannot hold back any more becomes open */
    void Reopen(uint32_t resource);
    /** \param resource has to be looked at again, if it can hold somebody back */
    void MarkStale(uint32_t resource);
    /** \param resource a resource; finds the rate at which it holds flows back, if all others that
     * use it keep their rates */
    void Reckon(uint32_t resource);
    /**
     * \param resource a resource; flows of m_guests that something else holds back before it does
     * are taken from there
     * \param weight of its flows that are not in m_guests
     * \return rate at which it holds back all others, or 0 if there are none
     */
    uint64_t FindLevel(uint32_t resource, uint64_t weight);
    /** \param flow a flow whose rate becomes open \param by resource that has found so */
    void Release(uint32_t flow, uint32_t by);
    /** \param flow a flow \param rate its rate \param by what holds it back, or NONE */
    void Settle(uint32_t flow, uint64_t rate, uint32_t by);
    /** \param flow a flow whose rate changes or becomes open: what it uses is looked at again
     * \param but a resource that is not, or NONE */
    void Touch(uint32_t flow, uint32_t but);
    /** \param resource a resource \param level rate at which it holds back all flows that nothing
     * has held back before */
    void Saturate(uint32_t resource, uint64_t level);

    std::size_t m_mostFilled;              //!< flows that are filled without a sweep
    std::size_t m_lastChanged{0};          //!< m_mostChanged of the last Update() that found some
    std::size_t m_mostChanged{0};          //!< most flows that one filling or sweep has changed
    std::vector<Flow> m_flows;             //!< by number
    std::vector<Member> m_members;         //!< uses of all flows
    std::vector<Resource> m_resources;     //!< by number
    std::vector<uint32_t> m_dirty;         //!< resources to look at
    std::vector<uint32_t> m_work;          //!< those that are being looked at
    std::vector<uint32_t> m_shifted;       //!< resources with a reverse whose load changed
    std::vector<uint32_t> m_changed;       //!< flows whose rate changed
    std::vector<uint32_t> m_computed;      //!< flows that are being computed
    std::vector<uint32_t> m_fillResources; //!< their tight resources
    std::vector<std::pair<uint64_t, uint32_t>> m_bound; //!< flows that their bound may hold back
    std::vector<Level> m_heap;                          //!< resources by level
    std::vector<uint32_t> m_stale;     //!< in a sweep: resources to look at again
    std::vector<Guest> m_guests;       //!< see FindLevel()
    uint64_t m_round{0};                                //!< number of the present round
    uint64_t m_computedCount{0};                        //!< see GetComputedCount()
};

} // namespace ns3

#endif /* MAX_MIN_ALLOCATOR_H */
