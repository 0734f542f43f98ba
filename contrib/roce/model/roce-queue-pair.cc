/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-queue-pair.h"

#include "roce-nic-device.h"

namespace ns3
{

RoceQueuePair::RoceQueuePair(RoceNicDevice& nic,
                             uint32_t number,
                             const RoceQueuePairParameters& parameters)
    : number(number),
      parameters(parameters),
      ackTimer(this),
      m_nic(nic)
{
}

void
RoceQueuePair::AckTimeout()
{
    m_nic.HandleTimeout(*this);
}

} // namespace ns3
