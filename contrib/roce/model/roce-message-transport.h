/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_MESSAGE_TRANSPORT_H
#define ROCE_MESSAGE_TRANSPORT_H

#include "roce-nic-device.h"
#include "roce-path.h"

#include "ns3/message-transport.h"
#include "ns3/nic-striping.h"
#include "ns3/route-table.h"

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief What a channel has done so far, over all its messages. */
struct RoceChannelState
{
    std::optional<Time> firstSent;    //!< when the first bit left, if it did
    uint64_t receivedBytes{0};        //!< payload that arrived in order, once each
    uint64_t retransmittedPackets{0}; //!< data packets sent again
    bool failed{false};               //!< the sender gave up after its retries
};

/**
 * \ingroup roce
 * \brief Carries messages as RoCEv2 packets: a connection per (pair of ranks, channel), which
 * serves both directions and is kept for the whole simulation.
 *
 * The UDP source port is a hash of source, destination and channel, so that ECMP sees persistent
 * flows, one per direction. Of GPUs with several NICs channels use one each (StripeNics()). Which
 * port of several a NIC uses is up to itself (RoceNicDevice), but for channels with PinChannel().
 */
class RoceMessageTransport : public MessageTransport, private RoceNicListener
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RoceMessageTransport();
    ~RoceMessageTransport() override;

    /**
     * \param nics by rank; null for a rank that neither sends nor receives here
     * \param routes of the Ethernet fabric
     */
    void SetNics(std::vector<Ptr<RoceNicDevice>> nics, std::shared_ptr<const RouteTable> routes);

    /**
     * Queue pairs of a channel that are made later send by one port, at both ends, and stay there.
     * At GPUs with several NICs it is one of all their ports, and packets arrive by any.
     * \param channel channel
     * \param port port number of the NICs
     */
    void PinChannel(uint32_t channel, uint32_t port);

    /**
     * The queue pairs of a channel between two ranks, if they are made later, send data and
     * acknowledgements in this traffic class, at both ends, instead of that of their NICs.
     * \param a a rank
     * \param b another one
     * \param channel channel
     * \param priority traffic class; NICs must have a DSCP for it
     */
    void SetPriority(uint32_t a, uint32_t b, uint32_t channel, uint32_t priority);

    /** \param src a rank \param dst another one \return whether there is a path between NICs */
    bool CanReach(uint32_t src, uint32_t dst) const;

    /**
     * Time of a message in an otherwise idle network without congestion control: full packets, from
     * the first bit sent to the last byte received, on the best links of the paths of equal cost
     * (RocePath). The extra header of a WRITE's first packet is left out; nothing can be faster.
     * Where packets of a flow go side by side, over several ports of a NIC or of switches that do
     * not keep flows together, and that makes a difference, all these links are shared perfectly:
     * a bound, which no run meets exactly.
     * \param message the message; its tag does not matter
     * \param cutThrough whether switches forward the head of a packet before its tail is there,
     * instead of store-and-forward
     * \return the time
     */
    Time GetIdealTime(const Message& message, bool cutThrough = false) const;

    /**
     * \param src sending rank
     * \param dst receiving rank
     * \param channel channel
     * \return the path between the NICs that the channel uses
     */
    RocePath GetPath(uint32_t src, uint32_t dst, uint32_t channel) const;

    /**
     * \param src sending rank
     * \param dst receiving rank
     * \param channel channel
     * \return what it has done; as of nothing if no message was ever sent by it
     */
    RoceChannelState GetChannelState(uint32_t src, uint32_t dst, uint32_t channel) const;

    /** \return one line per queue pair that gave up */
    const std::vector<std::string>& GetFailures() const;

    // From MessageTransport.
    uint32_t GetRankCount() const override;
    void Send(const Message& message) override;
    std::vector<std::string> DescribePending() const override;

  protected:
    void DoDispose() override;

  private:
    // From RoceNicListener.
    void MessageArrived(const RoceCompletion& completion) override;
    void MessageCompleted(const RoceCompletion& completion) override;
    void QueuePairFailed(const RoceQueuePair& qp, RoceStatus status) override;

    /**
     * \param src sending rank
     * \param dst receiving rank
     * \param channel channel
     * \return the queue pair at src
     */
    RoceQueuePair& GetQueuePair(uint32_t src, uint32_t dst, uint32_t channel);
    /** \param dst receiving rank \param channel channel \return both, for m_qps */
    static uint64_t MakeKey(uint32_t dst, uint32_t channel)
    {
        return static_cast<uint64_t>(dst) << 32 | channel;
    }

    /**
     * \param src sending rank
     * \param dst receiving rank
     * \param channel channel
     * \return the end points that it uses
     */
    NicPair GetEnds(uint32_t src, uint32_t dst, uint32_t channel) const;

    /**
     * \param src local rank
     * \param dst peer
     * \param channel channel
     * \param ends the end points that they use
     * \return set-up of the queue pair at src
     */
    RoceQueuePairParameters GetParameters(uint32_t src,
                                          uint32_t dst,
                                          uint32_t channel,
                                          const NicPair& ends) const;
    /**
     * \param path with links side by side on some hop
     * \param bytes of all packets, on the wire
     * \param tail of them in the smallest one
     * \param cutThrough see GetIdealTime()
     * \return least time until all is there, ticks
     */
    static uint64_t GetSpreadTime(const RocePath& path,
                                  uint64_t bytes,
                                  uint64_t tail,
                                  bool cutThrough);
    /**
     * \param completion a message as the NIC tells it
     * \param out whether it was sent here
     * \return the message
     */
    static Message ToMessage(const RoceCompletion& completion, bool out);

    std::vector<Ptr<RoceNicDevice>> m_nics;     //!< by rank
    std::shared_ptr<const RouteTable> m_routes; //!< Ethernet fabric
    bool m_useWrite{true};                      //!< WRITE carries messages, not SEND
    /** By rank: peer and channel to the queue pair; only looked up. */
    std::vector<std::unordered_map<uint64_t, RoceQueuePair*>> m_qps;
    std::map<uint32_t, uint32_t> m_pinned; //!< by channel: the port
    /** By the lower rank: the other one and channel to the class; only looked up. */
    std::vector<std::unordered_map<uint64_t, uint32_t>> m_priorities;
    std::vector<std::string> m_failures; //!< queue pairs that gave up
    std::vector<std::string> m_lost;     //!< messages that ended without success
};

} // namespace ns3

#endif /* ROCE_MESSAGE_TRANSPORT_H */
