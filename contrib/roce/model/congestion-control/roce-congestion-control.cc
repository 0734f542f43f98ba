/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-congestion-control.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceCongestionControl);

TypeId
RoceCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoceCongestionControl").SetParent<Object>().SetGroupName("Roce");
    return tid;
}

void
RoceCongestionControl::OnSend(const SendEvent&)
{
}

void
RoceCongestionControl::OnAck(const AckEvent&)
{
}

void
RoceCongestionControl::OnCnp(const CnpEvent&)
{
}

void
RoceCongestionControl::OnLoss(const LossEvent&)
{
}

uint64_t
RoceCongestionControl::GetWindowBytes() const
{
    return UNLIMITED;
}

} // namespace ns3
