/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "test-paths.h"

#include "ns3/config-error.h"
#include "ns3/topology-loader.h"
#include "ns3/topology-validator.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;

namespace
{

/** \return folder of the real files, empty if it is absent */
std::string
RealFiles()
{
    return SharedDir().empty() ? "" : SharedDir() + "/data/realfiles/";
}

/** What a real file must give. */
struct RealTopology
{
    const char* path;       //!< below the folder of real files
    uint32_t gpus;          //!< end points
    uint32_t nodes;         //!< all nodes
    uint32_t links;         //!< links
    uint32_t gpusPerServer; //!< GPUs in a server
};

/** Every topology among the real files, with the numbers of its first line. */
const RealTopology REAL_TOPOLOGIES[] = {
    {"simai/topologies/DCN+DualToR_128g_8gps_100Gbps_A100", 128, 154, 400, 8},
    {"simai/topologies/Rail_Opti_SingleToR_128gpu_8gps_200Gbps_H20", 16, 90, 544, 8},
    {"simai/topologies/Rail_Opti_SingleToR_16g_8gps_200Gbps_H20", 16, 34, 96, 8},
    {"simai/topologies/Rail_Opti_SingleToR_64gpu_8gps_200Gbps_H20", 8, 81, 528, 8},
    {"simai/topologies/Spectrum-X_128g_8gps_400Gbps_A100", 128, 216, 768, 8},
    {"simai/topologies/Spectrum-X_16g_8gps_400Gbps_A100", 16, 90, 544, 8},
    {"simai/topologies/Spectrum-X_8g_8gps_400Gbps_A100", 8, 81, 528, 8},
    {"simai/topologies/Spectrum-X_9216g_8gps_100Gbps_A100", 9216, 10504, 23040, 8},
    {"simai/topologies/sweep_topo_N0_M1.txt", 32, 45, 72, 8},
    {"simai/topologies/sweep_topo_N16_M4.txt", 32, 45, 72, 8},
    {"simai/topologies/sweep_topo_N1_M2.txt", 32, 45, 72, 8},
    {"simai/topologies/sweep_topo_N8_M8.txt", 32, 45, 72, 8},
    {"simai-generated-topologies/AlibabaHPN_64g_8gps_DualToR_DualPlane_200Gbps_H800",
     64,
     92,
     224,
     8},
    {"simai-generated-topologies/AlibabaHPN_64g_8gps_DualToR_SinglePlane_200Gbps_H800",
     64,
     92,
     256,
     8},
    {"simai-generated-topologies/DCN+SingleToR_64g_8gps_400Gbps_H100", 64, 84, 160, 8},
    {"simai-generated-topologies/Rail_Opti_SingleToR_16g_4gps_200Gbps_H100", 16, 22, 24, 4},
    {"simai-generated-topologies/Rail_Opti_SingleToR_32g_8gps_400Gbps_H100", 32, 52, 128, 8},
    {"simai-generated-topologies/Spectrum-X_128g_8gps_100Gbps_A100", 128, 216, 768, 8},
    {"simai-generated-topologies/Spectrum-X_16g_8gps_400Gbps_H100", 16, 30, 64, 8},
    {"hpcc/topology.txt", 65, 66, 65, 1},
    {"hpcc/fat.txt", 320, 376, 480, 1},
    {"hpcc/ali_32host_10rack.txt", 320, 348, 800, 1},
    {"conweave/config/leaf_spine_128_100G_OS2.txt", 128, 144, 192, 1},
    {"conweave/config/fat_k8_100G_OS2.txt", 256, 336, 512, 1},
    {"conweave/config/fat_k4_100G_OS2.txt", 32, 52, 64, 1},
    {"astra-ns3/8nodes_ring_topology.txt", 8, 8, 8, 1},
    {"astra-ns3/8_nodes_1_switch_topology.txt", 8, 9, 8, 1},
    {"astra-ns3/128_nodes_16_switch_topology.txt", 128, 144, 192, 1},
    {"ns3-datacenter/topology-256.txt", 256, 276, 288, 1},
    {"ns3-datacenter/topology.txt", 128, 138, 144, 1},
    {"ns3-datacenter/reverie-leaf-spine.txt", 256, 276, 320, 1},
};

} // namespace

TEST(FabricTopologyRealFiles, LoadWithTheNumbersOfTheirFirstLine)
{
    RAILYARD_NEED_SHARED_FILES();
    for (const RealTopology& real : REAL_TOPOLOGIES)
    {
        SCOPED_TRACE(real.path);
        const Topology topology = LoadTopology(RealFiles() + real.path);
        EXPECT_EQ(topology.GetGpuCount(), real.gpus);
        EXPECT_EQ(topology.nodes.size(), real.nodes);
        EXPECT_EQ(topology.links.size(), real.links);
        EXPECT_EQ(topology.gpusPerServer, real.gpusPerServer);
        EXPECT_TRUE(ValidateTopology(topology).errors.empty());
    }
}

TEST(FabricTopologyRealFiles, EveryFileLoadsOrIsRefusedWithAClearError)
{
    RAILYARD_NEED_SHARED_FILES();
    std::map<std::string, uint32_t> known;
    for (const RealTopology& real : REAL_TOPOLOGIES)
    {
        known[RealFiles() + real.path] = real.gpus;
    }
    uint32_t loaded = 0;
    uint32_t refused = 0;
    for (const char* folder : {"simai/topologies",
                               "simai-generated-topologies",
                               "hpcc",
                               "conweave",
                               "astra-ns3",
                               "ns3-datacenter",
                               "ns3-rdma"})
    {
        for (const auto& file : std::filesystem::recursive_directory_iterator(RealFiles() + folder))
        {
            if (!file.is_regular_file())
            {
                continue;
            }
            const std::string path = file.path().string();
            try
            {
                LoadTopology(path);
                loaded++;
            }
            catch (const ConfigError& error)
            {
                EXPECT_EQ(known.count(path), 0U) << error.what();
                EXPECT_EQ(std::string(error.what()).find(path), 0U) << error.what();
                refused++;
            }
        }
    }
    EXPECT_GE(loaded, std::size(REAL_TOPOLOGIES));
    EXPECT_GT(refused, 0U); // flow files, configurations, distributions
}

TEST(FabricTopologyRealFiles, H11bHpccTopologySaysWhatItIgnores)
{
    RAILYARD_NEED_SHARED_FILES();
    const Topology topology = LoadTopology(RealFiles() + "hpcc/topology.txt");
    ASSERT_EQ(topology.notes.size(), 2U);
    EXPECT_EQ(topology.notes[0],
              "the ids of the GPUs are not 0 to 64: ranks follow their ascending ids, rank 0 is "
              "node 1");
    EXPECT_EQ(topology.notes[1],
              "line 1 announces 65 links, 256 link lines follow: loads the first 65 links, ignores "
              "191 more link lines and trailing text (5 lines)");
    EXPECT_EQ(topology.GetNodesByFileId()[0], 65U); // the switch
    EXPECT_EQ(topology.GetNodesByFileId()[1], 0U);
}

TEST(FabricTopologyRealFiles, H11dEveryTruncationIsAnErrorOrANote)
{
    RAILYARD_NEED_SHARED_FILES();
    const std::string path =
        RealFiles() + "simai-generated-topologies/Rail_Opti_SingleToR_16g_4gps_200Gbps_H100";
    std::ifstream stream(path);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const std::string cut = testing::TempDir() + "railyard-cut-topology.txt";
    const std::size_t complete = text.find_last_not_of(" \r\n") + 1;
    for (std::size_t size = 0; size < complete; size++)
    {
        std::ofstream(cut) << text.substr(0, size);
        EXPECT_THROW(LoadTopology(cut), ConfigError) << "cut at byte " << size;
    }
    std::filesystem::remove(cut);
}
