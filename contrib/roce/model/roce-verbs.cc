/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-verbs.h"

#include "roce-path.h"

#include "ns3/abort.h"
#include "ns3/ecmp-hash.h"

namespace ns3
{

namespace
{

/**
 * \param path from a queue pair to its peer
 * \param nic its NIC
 * \param [in,out] parameters get what the path tells and they do not know
 */
void
FillUnknown(const RocePath& path, RoceNicDevice& nic, RoceQueuePairParameters& parameters)
{
    RoceQueuePairParameters found;
    path.Describe(nic, found);
    parameters.baseRtt = parameters.baseRtt ? parameters.baseRtt : found.baseRtt;
    parameters.switchCount = parameters.switchCount ? parameters.switchCount : found.switchCount;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(RoceVerbs);

TypeId
RoceVerbs::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RoceVerbs")
                            .SetParent<Object>()
                            .SetGroupName("Roce")
                            .AddConstructor<RoceVerbs>();
    return tid;
}

RoceVerbs::RoceVerbs() = default;
RoceVerbs::~RoceVerbs() = default;

void
RoceVerbs::DoDispose()
{
    if (m_nic)
    {
        m_nic->SetListener(nullptr);
        m_nic = nullptr;
    }
    m_callback = CompletionCallback();
    Object::DoDispose();
}

void
RoceVerbs::Open(Ptr<RoceNicDevice> nic)
{
    m_nic = nic;
    nic->SetListener(this);
}

void
RoceVerbs::SetCompletionCallback(CompletionCallback callback)
{
    m_callback = callback;
}

uint32_t
RoceVerbs::CreateQp(RoceVerbs& peer, RoceQueuePairParameters parameters, uint32_t peerPort)
{
    NS_ABORT_MSG_UNLESS(m_nic && peer.m_nic, "RoceVerbs::Open() both ends before CreateQp()");
    const uint32_t rank = m_nic->GetRank();
    const uint32_t peerRank = peer.m_nic->GetRank();
    const uint32_t index = m_nic->GetQueuePairCount();
    RoceQueuePairParameters back = parameters;
    back.port = peerPort;
    back.localRank = RoceQueuePairParameters::NO_RANK;
    back.localEnd = RoceQueuePairParameters::NO_RANK;
    if (parameters.udpPort == 0)
    {
        parameters.udpPort = RoceWire::SourcePort(EcmpHash(rank, peerRank, index, 0));
        back.udpPort = RoceWire::SourcePort(EcmpHash(peerRank, rank, index, 0));
    }
    if (m_nic->GetFirstRoutes())
    {
        const RouteTable& routes = *m_nic->GetFirstRoutes();
        const uint32_t end =
            parameters.localEnd == RoceQueuePairParameters::NO_RANK ? rank : parameters.localEnd;
        FillUnknown(RocePath(routes, *m_nic, end, peerRank), *m_nic, parameters);
        FillUnknown(RocePath(routes, *peer.m_nic, peerRank, end), *peer.m_nic, back);
    }
    return RoceNicDevice::Connect(*m_nic, *peer.m_nic, parameters, back).number;
}

uint32_t
RoceVerbs::GetPeerQp(uint32_t qp) const
{
    return Find(qp).peerNumber;
}

uint32_t
RoceVerbs::CreateUdQp(RoceQueuePairParameters parameters)
{
    NS_ABORT_MSG_UNLESS(m_nic, "RoceVerbs::Open() before CreateUdQp()");
    if (parameters.udpPort == 0)
    {
        const uint32_t rank = m_nic->GetRank();
        parameters.udpPort =
            RoceWire::SourcePort(EcmpHash(rank, rank, m_nic->GetQueuePairCount(), 0));
    }
    return m_nic->CreateDatagramQueuePair(parameters).number;
}

RoceQueuePair&
RoceVerbs::Find(uint32_t qp) const
{
    NS_ABORT_MSG_UNLESS(m_nic && qp - RoceNicDevice::FIRST_QP_NUMBER < m_nic->GetQueuePairCount(),
                        "no queue pair " << qp << " at this end: use the number that CreateQp() or "
                                         << "CreateUdQp() returned");
    return m_nic->FindQueuePair(qp);
}

void
RoceVerbs::PostSend(uint32_t qp, const RoceWorkRequest& request)
{
    m_nic->Post(Find(qp), request);
}

void
RoceVerbs::PostSend(uint32_t qp, const RoceWorkRequest& request, const RoceAddressHandle& to)
{
    Find(qp).Post(request, to);
}

void
RoceVerbs::PostRecv(uint32_t qp, uint64_t cookie)
{
    Find(qp).PostReceive(cookie);
}

uint64_t
RoceVerbs::GetDroppedDatagrams(uint32_t qp) const
{
    return Find(qp).droppedDatagrams;
}

void
RoceVerbs::MessageArrived(const RoceCompletion& completion)
{
    if (completion.verb == RoceVerb::SEND || completion.withImmediate)
    {
        MessageCompleted(completion);
    }
}

void
RoceVerbs::MessageCompleted(const RoceCompletion& completion)
{
    if (!m_callback.IsNull())
    {
        m_callback(completion);
    }
}

void
RoceVerbs::QueuePairFailed(const RoceQueuePair&, RoceStatus)
{
    // The status of its requests says so.
}

} // namespace ns3
