/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "server-tree.h"

#include <algorithm>

namespace ns3
{

uint32_t
ServerTree::GetParent(uint32_t node, uint32_t size)
{
    if (node == 0)
    {
        return NONE;
    }
    const uint32_t bit = node & (~node + 1);
    const uint32_t parent = (node ^ bit) | (bit << 1);
    return parent < size ? parent : node ^ bit;
}

uint32_t
ServerTree::GetSecondParent(uint32_t node, uint32_t size)
{
    if (size % 2 == 0)
    {
        const uint32_t parent = GetParent(size - 1 - node, size);
        return parent == NONE ? NONE : size - 1 - parent;
    }
    const uint32_t parent = GetParent((node + size - 1) % size, size);
    return parent == NONE ? NONE : (parent + 1) % size;
}

ServerTree::ServerTree(const ServerLayout& layout,
                       uint32_t rail,
                       bool isSecond,
                       uint32_t firstServer)
{
    const uint32_t servers = layout.GetCount();
    std::vector<uint32_t> heads; // by number in the tree
    for (uint32_t node = 0; node < servers; node++)
    {
        const uint32_t server = (firstServer + node) % servers;
        const auto& ranks = layout.GetRanks(server);
        const auto first = std::find(ranks.begin(), ranks.end(), layout.GetHead(server, rail));
        heads.push_back(*first);
        m_order.insert(m_order.end(), first, ranks.end());
        m_order.insert(m_order.end(), ranks.begin(), first);
    }
    m_nodes.resize(m_order.size());
    for (std::size_t i = 0, node = 0; i < m_order.size(); i++)
    {
        if (node < servers && m_order[i] == heads[node])
        {
            node++;
        }
        else
        {
            Link(m_order[i - 1], m_order[i]);
        }
    }
    for (uint32_t node = 0; node < servers; node++)
    {
        const uint32_t parent =
            isSecond ? GetSecondParent(node, servers) : GetParent(node, servers);
        if (parent != NONE)
        {
            Link(heads[parent], heads[node]);
        }
    }
}

void
ServerTree::Link(uint32_t parent, uint32_t child)
{
    m_nodes[child].parent = parent;
    m_nodes[child].index = static_cast<uint32_t>(m_nodes[parent].children.size());
    m_nodes[parent].children.push_back(child);
}

void
ServerTree::SetRoot(uint32_t root)
{
    uint32_t rank = root;
    uint32_t child = NONE; // of the rank from now on its parent
    while (rank != NONE)
    {
        Node& node = m_nodes[rank];
        const uint32_t next = node.parent;
        if (next != NONE)
        {
            auto& siblings = m_nodes[next].children;
            siblings.erase(siblings.begin() + node.index);
            for (uint32_t i = node.index; i < siblings.size(); i++)
            {
                m_nodes[siblings[i]].index = i;
            }
        }
        node.parent = NONE;
        if (child != NONE)
        {
            Link(child, rank);
        }
        child = rank;
        rank = next;
    }
}

} // namespace ns3
