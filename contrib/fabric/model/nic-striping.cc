/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nic-striping.h"

#include <algorithm>
#include <vector>

namespace ns3
{

namespace
{

/**
 * \param routes of the Ethernet fabric
 * \param gpu a GPU
 * \param serves says of the end point that a NIC of it is whether that has a path
 * \return numbers of the NICs that have one, ascending
 */
template <typename Predicate>
std::vector<uint32_t>
FindNics(const RouteTable& routes, uint32_t gpu, const Predicate& serves)
{
    std::vector<uint32_t> found;
    for (uint32_t nic = 0; nic < routes.GetNicCount(gpu); nic++)
    {
        if (serves(routes.GetNic(gpu, nic)))
        {
            found.push_back(nic);
        }
    }
    return found;
}

} // namespace

NicPair
StripeNics(const RouteTable& routes, uint32_t src, uint32_t dst, uint32_t channel)
{
    if (routes.GetNicCount(src) == 1 && routes.GetNicCount(dst) == 1)
    {
        return {src, dst};
    }
    const auto findPaths = [&](uint32_t gpu, uint32_t peer) { // from its NICs
        return FindNics(routes, gpu, [&](uint32_t nic) {
            return routes.NextPorts(nic, peer).count > 0;
        });
    };
    const std::vector<uint32_t> ofSrc = findPaths(src, dst);
    const std::vector<uint32_t> ofDst = findPaths(dst, src);
    if (ofSrc.empty() || ofDst.empty())
    {
        return {src, dst};
    }
    const bool srcLeads =
        ofSrc.size() > ofDst.size() || (ofSrc.size() == ofDst.size() && src < dst);
    const std::vector<uint32_t>& useful = srcLeads ? ofSrc : ofDst;
    const uint32_t nic = useful[channel % useful.size()];
    const uint32_t near = routes.GetNic(srcLeads ? src : dst, nic);
    const uint32_t follower = srcLeads ? dst : src;
    const std::vector<uint32_t> reached = FindNics(routes, follower, [&](uint32_t end) {
        return routes.NextPorts(near, end).count > 0;
    });
    const bool onRail = std::binary_search(reached.begin(), reached.end(), nic);
    const uint32_t far = routes.GetNic(follower, onRail ? nic : reached[channel % reached.size()]);
    return srcLeads ? NicPair{near, far} : NicPair{far, near};
}

} // namespace ns3
