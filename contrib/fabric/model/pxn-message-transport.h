/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PXN_MESSAGE_TRANSPORT_H
#define PXN_MESSAGE_TRANSPORT_H

#include "network-message-transport.h"
#include "pxn-rails.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Carries messages to other servers on the rail of their receiver, as NCCL does (PXN): over
 * NVLink to the GPU of the sender's server that PxnRails names, and from its NIC.
 *
 * It stands between the users of a network and the network, whatever its fidelity. Users see one
 * message from sender to receiver; the network carries it in two legs of chunks of `ChunkBytes`
 * (NCCL_P2P_NET_CHUNKSIZE). A chunk that has arrived at the intermediate GPU leaves from its NIC at
 * once, as that GPU's proxy thread sends it and no kernel there has a part in it. Of one connection
 * (sender, receiver, channel) `ChunksInFlight` chunks at most have been sent and are not
 * acknowledged by the receiver: the slots of NCCL's buffer (NCCL_STEPS), which the intermediate GPU
 * holds. The credit for a free slot takes no time to get back to the sender.
 *
 * All that goes from an intermediate GPU to a receiver on a channel takes one connection of the
 * network, in the order in which it came, as NCCL shares them (NCCL_NET_SHARED_COMMS). It is not
 * that of the intermediate GPU's own messages. A sender hears that a message was sent when its
 * receiver has acknowledged all of it, as without a detour.
 *
 * Left out: NCCL puts several small messages to a receiver into one request of the NIC.
 */
class PxnMessageTransport : public NetworkMessageTransport, private MessageEndpoint
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    PxnMessageTransport();
    ~PxnMessageTransport() override;

    /** \param channel a channel of users \return that of the network for chunks of its messages */
    static uint32_t GetRelayChannel(uint32_t channel)
    {
        return channel | RELAYED;
    }

    /**
     * \param network carries chunks, and all messages that are not relayed
     * \param topology its topology
     * \return whether anything may be relayed; if not, the network stays as it is, for users to
     * take
     */
    bool SetNetwork(Ptr<NetworkMessageTransport> network, const Topology& topology);

    /** \return messages that were relayed so far */
    uint64_t GetRelayedMessages() const
    {
        return m_messages;
    }

    /** \return payload that has arrived at intermediate GPUs so far, bytes */
    uint64_t GetRelayedBytes() const;

    /**
     * \param finished whether nothing may be under way any more
     * \return what does not agree of the payload sent, forwarded and received; empty if all does
     */
    std::string FindLostBytes(bool finished) const;

    // From NetworkMessageTransport.
    bool UsesNvlink(uint32_t src, uint32_t dst) const override;
    bool CanReach(uint32_t src, uint32_t dst) const override;
    uint32_t GetRelay(uint32_t src, uint32_t dst) const override;
    uint64_t GetArrivedBytes(uint32_t src, uint32_t dst, uint32_t channel) const override;
    std::vector<std::string> GetFailures() const override;

    // From MessageTransport.
    uint32_t GetRankCount() const override;
    bool CanOffload(const std::vector<uint32_t>& ranks) const override;
    bool CanAllReduce(const std::vector<uint32_t>& ranks) const override;
    uint32_t AddTeam(const std::vector<uint32_t>& ranks) override;
    void Send(const Message& message) override;
    std::vector<std::string> DescribePending() const override;

  protected:
    void DoDispose() override;

  private:
    static constexpr uint32_t RELAYED = 1U << 31; //!< channels of chunks
    static constexpr uint64_t SECOND_LEG = 1;     //!< in tags of chunks, beside twice the slot

    struct Connection;

    /** A message that is relayed. */
    struct Relayed
    {
        uint32_t slot{0};                //!< its place in #m_relayed
        Message message;                 //!< as its sender gave it
        Connection* connection{nullptr}; //!< where it goes
        Time since;                      //!< when it was sent
        uint64_t chunks{0};              //!< in all
        uint64_t sent{0};                //!< chunks that left the sender
        uint64_t forwarded{0};           //!< of these, that left the intermediate GPU
        uint64_t arrived{0};             //!< of these, that arrived
        uint64_t acknowledged{0};        //!< of these, whose slot the sender has again
    };

    /** What goes from an intermediate GPU to a receiver on a channel. */
    struct Leg
    {
        std::deque<const Relayed*> chunks; //!< under way, each by its message, in order
        uint64_t arrivedBytes{0};          //!< of chunks that have arrived, bytes
    };

    /** What goes from a sender to a receiver on a channel by way of an intermediate GPU. */
    struct Connection
    {
        uint32_t relay{0};             //!< intermediate GPU
        Leg* leg{nullptr};             //!< from there on
        std::deque<Relayed*> messages; //!< not acknowledged, in the order sent
        std::size_t leaving{0};        //!< first of them with chunks that wait
        uint32_t inFlight{0};          //!< chunks sent and not acknowledged
        uint64_t arrivedBytes{0};      //!< of chunks that have arrived, bytes
    };

    /** \param peer a rank \param channel a channel \return key of a connection of a rank */
    static uint64_t MakeKey(uint32_t peer, uint32_t channel)
    {
        return static_cast<uint64_t>(peer) << 32 | channel;
    }

    /** \param message a message to relay \param relay by whom \return its connection */
    Connection& GetConnection(const Message& message, uint32_t relay);
    /** \param connection sends the chunks for which there are slots */
    void SendChunks(Connection& connection);
    /** \param relayed a chunk of it has arrived at the intermediate GPU \param chunk the chunk */
    void Forward(Relayed& relayed, const Message& chunk);
    /** \param relayed a chunk of it was acknowledged, in an event of the sender */
    void FreeSlot(Relayed& relayed);
    /** \param message a message to relay \param connection its way \return what is known of it */
    Relayed& Add(const Message& message, Connection& connection);
    /** \param chunk a chunk \return its message */
    Relayed& GetRelayed(const Message& chunk);
    /** \param relayed a message \return one line that says where it is */
    static std::string Describe(const Relayed& relayed);

    // From MessageEndpoint.
    void MessageReceived(const Message& message) override;
    void MessageSent(const Message& message) override;
    void Fetch(uint32_t rank, uint32_t channel, uint32_t stage) const override;

    uint32_t m_level{0};                    //!< PxnRails::Level
    uint64_t m_chunkBytes{0};               //!< payload of a chunk, bytes
    uint32_t m_chunksInFlight{0};           //!< of a connection
    Ptr<NetworkMessageTransport> m_network; //!< carries the chunks
    std::unique_ptr<PxnRails> m_rails;      //!< who relays

    std::deque<Connection> m_connections; //!< in order of first use
    std::deque<Leg> m_legs;               //!< in order of first use
    std::deque<Relayed> m_relayed;        //!< messages, and slots for more
    std::vector<uint32_t> m_freeSlots;    //!< of these, unused
    /** Connections of a rank, by receiver and channel. */
    std::vector<std::unordered_map<uint64_t, Connection*>> m_bySource;
    /** Legs of an intermediate GPU, by receiver and channel. */
    std::vector<std::unordered_map<uint64_t, Leg*>> m_byRelay;
    /** Sender, intermediate GPU and channel of all connections. */
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> m_firstLegs;

    uint64_t m_messages{0};       //!< relayed
    uint64_t m_sentBytes{0};      //!< of messages to relay, bytes
    uint64_t m_forwardedBytes{0}; //!< of chunks that intermediate GPUs have sent on, bytes
    uint64_t m_receivedBytes{0};  //!< of relayed messages that have arrived as a whole, bytes
};

} // namespace ns3

#endif /* PXN_MESSAGE_TRANSPORT_H */
