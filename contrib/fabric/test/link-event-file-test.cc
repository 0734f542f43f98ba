/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/link-event-file.h"
#include "ns3/text-scanner.h"

#include <gtest/gtest.h>
#include <utility>

using namespace ns3;

namespace
{

/** \return hosts 0 and 1 on switch 2, hosts by two parallel links and by one, file ids + 10 */
Topology
SmallTopology()
{
    Topology topology;
    topology.nodes.resize(3);
    topology.nodes[2].kind = TopologyNodeKind::SWITCH;
    for (uint32_t i = 0; i < 3; i++)
    {
        topology.nodes[i].id = i + 10;
        topology.links.emplace_back();
        topology.links[i].a = i == 2 ? 2 : i;
        topology.links[i].b = i == 2 ? 0 : 2;
        topology.links[i].rate = DataRate("100Gbps");
    }
    return topology;
}

/** \param text a file \return its events */
std::vector<LinkEvent>
Read(const std::string& text)
{
    return ReadLinkEvents(TextFile::FromString("events", text), SmallTopology());
}

} // namespace

TEST(FabricLinkEventFile, EventsAreReadByTime)
{
    const auto events = Read("# time a b what\n"
                             "2ms 10 12 up # again\n"
                             "\n"
                             "0.5ms 12 10 down\n"
                             "2ms 11 12 rate=25Gbps\n"
                             "3ms 11 12 lossRate=0.25\n"
                             "4ms 11 12 bitErrorRate=1e-9\n");
    ASSERT_EQ(events.size(), 5U);
    EXPECT_EQ(events[0].when, MicroSeconds(500));
    EXPECT_EQ(events[0].change, LinkChange::DOWN);
    EXPECT_EQ(events[0].links, (std::vector<uint32_t>{0, 2})) << "parallel links, either way round";
    EXPECT_EQ(events[1].when, MilliSeconds(2));
    EXPECT_EQ(events[1].change, LinkChange::UP);
    EXPECT_EQ(events[2].change, LinkChange::RATE);
    EXPECT_EQ(events[2].rate, DataRate("25Gbps"));
    EXPECT_EQ(events[2].links, std::vector<uint32_t>{1});
    EXPECT_EQ(events[3].change, LinkChange::LOSS);
    EXPECT_EQ(events[3].probability, 0.25);
    EXPECT_EQ(events[4].change, LinkChange::BIT_ERRORS);
    EXPECT_EQ(events[4].probability, 1e-9);
}

TEST(FabricLinkEventFile, BadFilesAreOneLineThatSaysWhatIsWrong)
{
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
        {"1us 10 12\n", {"line 1", "1us 10 12", "4 words"}},
        {"1us 10 12 down now\n", {"line 1", "4 words"}},
        {"\n1 10 12 down\n", {"line 2", "'1'", "time"}},
        {"-1us 10 12 down\n", {"'-1us'"}},
        {"1us 9 12 down\n", {"'9'", "a node of the topology"}},
        {"1us 10 13 down\n", {"'13'", "a node of the topology"}},
        {"1us 10 11 down\n", {"1us 10 11 down", "Ethernet link joins"}},
        {"1us 10 12 broken\n", {"'broken'", "down, up, rate=RATE", "bitErrorRate="}},
        {"1us 10 12 lossRate=1\n", {"'1'", "below 1"}},
        {"1us 10 12 lossRate=\n", {"line 1", "expected lossRate"}},
        {"1us 10 12 bitErrorRate=nan\n", {"'nan'", "expected bitErrorRate"}},
        {"1us 10 12 bitErrorRate=-1\n", {"'-1'", "expected bitErrorRate"}},
        {"1us 10 12 rate=\n", {"rate"}},
        {"1us 10 12 rate=0Gbps\n", {"rate"}},
        {"1us 10 12 rate=200Gbps\n", {"'200Gbps'", "100000000000bps"}},
        {"1us 10 12 rate=999bps\n", {"'999bps'", "at least 1000bps"}},
        {"", {"events"}},
    };
    for (const auto& [text, parts] : cases)
    {
        try
        {
            Read(text);
            ADD_FAILURE() << "accepted: " << text;
        }
        catch (const ConfigError& error)
        {
            const std::string message = error.what();
            EXPECT_EQ(message.find('\n'), std::string::npos);
            for (const std::string& part : parts)
            {
                EXPECT_NE(message.find(part), std::string::npos) << part << ": " << message;
            }
        }
    }
}
