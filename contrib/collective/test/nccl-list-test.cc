/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/nccl-list.h"
#include "ns3/nccl-names.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * What NCCL_ALGO and NCCL_PROTO may hold.
 */

namespace ns3
{

namespace
{

/**
 * \param text value of NCCL_ALGO
 * \return it, read
 */
NcclList
ReadAlgorithms(const std::string& text)
{
    return NcclList(TextValue("command line", "--NCCL_ALGO", text),
                    NcclNames::GetKnownAlgorithms());
}

/**
 * \param list a list
 * \param kind a kind of collective
 * \return the first letters of the algorithms that are allowed
 */
std::string
GetAllowed(const NcclList& list, CollectiveKind kind)
{
    std::string allowed;
    for (const std::string name : {"Ring", "Tree", "NVLS", "PAT"})
    {
        allowed += list.Allows(kind, name) ? name.substr(0, 1) : "";
    }
    return allowed;
}

} // namespace

TEST(CollectiveNcclList, IsReadAsNcclDoes)
{
    struct Case
    {
        std::string text;      //!< value of NCCL_ALGO
        std::string allReduce; //!< allowed for all-reduce
        std::string broadcast; //!< allowed for broadcast
    };

    const std::vector<Case> cases{
        {"", "RTNP", "RTNP"},
        {"ring", "R", "R"},
        {"RING,tree", "RT", "RT"},
        {"^nvls", "RTP", "RTP"},
        {"^NVLS,TREE", "RP", "RP"},
        {"^", "RTNP", "RTNP"},
        {"Ring,,Tree,", "RT", "RT"},
        {"allreduce:tree,ring;broadcast:ring", "RT", "R"},
        {"allreduce:tree", "T", "RTNP"},
        {"ring;allreduce:tree,nvls", "TN", "R"},
        {"ring;AllReduce:^ring;Reduce:tree;", "TNP", "R"},
        {"^tree;broadcast:^ring", "RNP", "TNP"},
        {"broadcast:ring;broadcast:tree", "RTNP", "T"},
        {"collnetdirect,CollNetChain,pat,ring", "RP", "RP"},
    };
    for (const auto& [text, allReduce, broadcast] : cases)
    {
        const NcclList list = ReadAlgorithms(text);
        EXPECT_EQ(GetAllowed(list, CollectiveKind::ALL_REDUCE), allReduce) << text;
        EXPECT_EQ(GetAllowed(list, CollectiveKind::BROADCAST), broadcast) << text;
    }
}

TEST(CollectiveNcclList, IsNotForWhatIsSentDirectly)
{
    const NcclList list = ReadAlgorithms("Tree");
    for (const CollectiveKind kind : {CollectiveKind::ALL_TO_ALL,
                                      CollectiveKind::ALL_TO_ALL_V,
                                      CollectiveKind::SEND_RECV,
                                      CollectiveKind::GATHER,
                                      CollectiveKind::SCATTER})
    {
        EXPECT_FALSE(NcclNames::HasAlgorithms(kind));
        EXPECT_EQ(GetAllowed(list, kind), "RTNP");
    }
    EXPECT_EQ(GetAllowed(list, CollectiveKind::REDUCE), "T");
}

TEST(CollectiveNcclList, WhatIsWrongIsNamed)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"Rink", "--NCCL_ALGO: read 'Rink', expected one of Ring, Tree, NVLS, NVLSTree, "},
        {"Ring,Rink", "read 'Rink', expected one of Ring, Tree, NVLS, NVLSTree, CollNetDirect, "
                      "CollNetChain, PAT, MSCCL in 'Ring,Rink'"},
        {"^Rink", "read 'Rink'"},
        {" Ring", "read ' Ring'"},
        {"alltoall:Ring", "read 'alltoall', expected one of AllReduce, AllGather, ReduceScatter, "
                          "Broadcast, Reduce"},
        {"allreduce", "read 'allreduce', expected one of Ring"},
        {"allreduce:Tree;Ring", "read 'allreduce:Tree;Ring', expected a collective and a colon"},
        {"Ring;Tree", "expected a collective and a colon"},
        {"allreduce:Tree:Ring", "read 'Tree:Ring'"},
    };
    for (const auto& [text, expected] : cases)
    {
        try
        {
            ReadAlgorithms(text);
            FAIL() << text << " was accepted";
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

} // namespace ns3
