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
 * \param from an end point
 * \param gpu another GPU
 * \return numbers of the NICs of that GPU to which there is a path, ascending
 */
std::vector<uint32_t>
FindReached(const RouteTable& routes, uint32_t from, uint32_t gpu)
{
    std::vector<uint32_t> reached;
    for (uint32_t nic = 0; nic < routes.GetNicCount(gpu); nic++)
    {
        if (routes.NextPorts(from, routes.GetNic(gpu, nic)).count > 0)
        {
            reached.push_back(nic);
        }
    }
    return reached;
}

/**
 * \param routes of the Ethernet fabric
 * \param gpu a GPU
 * \param peer another GPU
 * \return numbers of the NICs of the first that have a path to the other, ascending
 */
std::vector<uint32_t>
FindUseful(const RouteTable& routes, uint32_t gpu, uint32_t peer)
{
    std::vector<uint32_t> useful;
    for (uint32_t nic = 0; nic < routes.GetNicCount(gpu); nic++)
    {
        if (routes.NextPorts(routes.GetNic(gpu, nic), peer).count > 0)
        {
            useful.push_back(nic);
        }
    }
    return useful;
}

} // namespace

NicPair
StripeNics(const RouteTable& routes, uint32_t src, uint32_t dst, uint32_t channel)
{
    if (routes.GetNicCount(src) == 1 && routes.GetNicCount(dst) == 1)
    {
        return {src, dst};
    }
    const std::vector<uint32_t> ofSrc = FindUseful(routes, src, dst);
    const std::vector<uint32_t> ofDst = FindUseful(routes, dst, src);
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
    const std::vector<uint32_t> reached = FindReached(routes, near, follower);
    const bool onRail = std::binary_search(reached.begin(), reached.end(), nic);
    const uint32_t far = routes.GetNic(follower, onRail ? nic : reached[channel % reached.size()]);
    return srcLeads ? NicPair{near, far} : NicPair{far, near};
}

} // namespace ns3
