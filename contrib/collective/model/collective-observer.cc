/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-observer.h"

namespace ns3
{

bool
CollectiveObserver::ObservesMessages() const
{
    return true;
}

void
CollectiveObserver::MessageStarted(const CollectiveInstance&, const CollectiveMessage&)
{
}

void
CollectiveObserver::MessageEnded(const CollectiveInstance&, const CollectiveMessage&)
{
}

void
CollectiveObserver::RankJoined(const CollectiveInstance&, uint32_t)
{
}

void
CollectiveObserver::RankDone(const CollectiveInstance&, uint32_t, Time)
{
}

void
CollectiveObserver::CollectiveEnded(const CollectiveInstance&)
{
}

} // namespace ns3
