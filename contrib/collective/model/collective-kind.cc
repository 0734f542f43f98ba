/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-kind.h"

namespace ns3
{

const char*
ToString(CollectiveKind kind)
{
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return "AllReduce";
    case CollectiveKind::ALL_GATHER:
        return "AllGather";
    case CollectiveKind::REDUCE_SCATTER:
        return "ReduceScatter";
    case CollectiveKind::ALL_TO_ALL:
        return "AllToAll";
    case CollectiveKind::BROADCAST:
        return "Broadcast";
    case CollectiveKind::SEND_RECV:
        return "SendRecv";
    case CollectiveKind::REDUCE:
        return "Reduce";
    case CollectiveKind::GATHER:
        return "Gather";
    case CollectiveKind::SCATTER:
        return "Scatter";
    case CollectiveKind::ALL_TO_ALL_V:
        return "AllToAllV";
    }
    return "unknown";
}

bool
HasRoot(CollectiveKind kind)
{
    switch (kind)
    {
    case CollectiveKind::BROADCAST:
    case CollectiveKind::SEND_RECV:
    case CollectiveKind::REDUCE:
    case CollectiveKind::GATHER:
    case CollectiveKind::SCATTER:
        return true;
    case CollectiveKind::ALL_REDUCE:
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
    case CollectiveKind::ALL_TO_ALL:
    case CollectiveKind::ALL_TO_ALL_V:
        return false;
    }
    return false;
}

std::ostream&
operator<<(std::ostream& os, CollectiveKind kind)
{
    return os << ToString(kind);
}

double
GetBusbwFactor(CollectiveKind kind, uint32_t ranks)
{
    if (ranks < 2)
    {
        return 0;
    }
    const double share = static_cast<double>(ranks - 1) / ranks;
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return 2 * share;
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
    case CollectiveKind::ALL_TO_ALL:
    case CollectiveKind::ALL_TO_ALL_V:
    case CollectiveKind::GATHER:
    case CollectiveKind::SCATTER:
        return share;
    case CollectiveKind::BROADCAST:
    case CollectiveKind::REDUCE:
    case CollectiveKind::SEND_RECV:
        return 1;
    }
    return 0;
}

} // namespace ns3
