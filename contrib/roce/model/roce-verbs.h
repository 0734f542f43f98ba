/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VERBS_H
#define ROCE_VERBS_H

#include "roce-nic-device.h"

#include "ns3/callback.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief A NIC for scripts that post their own messages, in the words of verbs.
 *
 * \code
 * Ptr<RoceVerbs> a = CreateObject<RoceVerbs>();
 * a->Open(fabric.nics[0]);
 * ...
 * const uint32_t qp = a->CreateQp(*b);
 * a->SetCompletionCallback(MakeCallback(&OnCompletion));
 * a->PostSend(qp, {RoceVerb::READ, 1000000, 17});
 * \endcode
 *
 * A NIC is opened by one object, and not used by a RoceMessageTransport beside it. Attributes of
 * the NICs hold for queue pairs that are created later.
 */
class RoceVerbs : public Object, private RoceNicListener
{
  public:
    /**
     * Told of every request of this end that ends, whatever its status, of every message that
     * arrives by SEND or with immediate data, and of every receive that ends with its queue pair.
     * What the peer writes or reads is not told. A datagram ends when it has left.
     */
    using CompletionCallback = Callback<void, const RoceCompletion&>;

    /** \return the TypeId */
    static TypeId GetTypeId();

    RoceVerbs();
    ~RoceVerbs() override;

    /** \param nic the NIC */
    void Open(Ptr<RoceNicDevice> nic);

    /** \param callback told of completions; may post again */
    void SetCompletionCallback(CompletionCallback callback);

    /**
     * Creates a queue pair at both ends and connects them.
     * \param peer the other end
     * \param parameters of this end; ranks are filled in, and the UDP port and what is known of the
     * path (baseRtt, switchCount) if they are 0. localEnd is one NIC of several of this end; the
     * other end uses all of its own, and has the same channel and first number
     * \param peerPort port of the other end
     * \return number of the queue pair at this end
     */
    uint32_t CreateQp(RoceVerbs& peer,
                      RoceQueuePairParameters parameters = {},
                      uint32_t peerPort = 0);

    /**
     * Creates a UD queue pair.
     * \param parameters of this end; the rank is filled in, and the UDP port if it is 0
     * \return number of the queue pair
     */
    uint32_t CreateUdQp(RoceQueuePairParameters parameters = {});

    /** \param qp a connected queue pair of this end \return its number at the other end */
    uint32_t GetPeerQp(uint32_t qp) const;

    /**
     * Requests of a queue pair are done in the order in which they are posted.
     * \param qp a connected queue pair of this end
     * \param request what to do
     */
    void PostSend(uint32_t qp, const RoceWorkRequest& request);

    /**
     * \param qp a UD queue pair of this end
     * \param request a SEND of MtuBytes at most, delivered or lost
     * \param to where it goes; the rank must have a NIC in the same fabric
     */
    void PostSend(uint32_t qp, const RoceWorkRequest& request, const RoceAddressHandle& to);

    /**
     * From the first call on, what finds no receive is answered by an RNR NAK; a connected queue
     * pair that never sees one takes all. A UD queue pair drops what finds none.
     * \param qp a queue pair of this end
     * \param cookie tag of the receive, told when a message uses it up
     */
    void PostRecv(uint32_t qp, uint64_t cookie);

    /** \param qp a UD queue pair of this end \return datagrams that found no receive */
    uint64_t GetDroppedDatagrams(uint32_t qp) const;

  protected:
    void DoDispose() override;

  private:
    // From RoceNicListener.
    void MessageArrived(const RoceCompletion& completion) override;
    void MessageCompleted(const RoceCompletion& completion) override;
    void QueuePairFailed(const RoceQueuePair& qp, RoceStatus status) override;

    /** \param qp number \return the queue pair, which must be one of this end */
    RoceQueuePair& Find(uint32_t qp) const;

    Ptr<RoceNicDevice> m_nic;      //!< the NIC
    CompletionCallback m_callback; //!< told of completions
};

} // namespace ns3

#endif /* ROCE_VERBS_H */
