/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run-under-test.h"

#include "scenario-test-helper.h"

#include "ns3/config-error.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/sqlite-database.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ns3
{

namespace fs = std::filesystem;

void
FlowRunUnderTest::SetUp()
{
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    m_folder = (fs::path(testing::TempDir()) / (std::string("flow-run-") + info->name())).string();
    fs::remove_all(m_folder);
    fs::create_directories(m_folder);
    Reset();
}

void
FlowRunUnderTest::TearDown()
{
    Reset();
    fs::remove_all(m_folder);
}

void
FlowRunUnderTest::Reset()
{
    Config::Reset();
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
}

std::string
FlowRunUnderTest::Write(const std::string& name, const std::string& text) const
{
    const std::string path = m_folder + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

std::string
FlowRunUnderTest::WriteStar(uint32_t hosts) const
{
    const std::string hub = std::to_string(hosts);
    std::string text = std::to_string(hosts + 1) + " 1 " + hub + "\n" + hub + "\n";
    for (uint32_t host = 0; host < hosts; host++)
    {
        text += std::to_string(host) + " " + hub + " 100Gbps 1us 0\n";
    }
    return Write("star-" + hub, text);
}

std::string
FlowRunUnderTest::WriteIncast(uint32_t senders) const
{
    std::string text = std::to_string(senders) + "\n";
    for (uint32_t sender = 1; sender <= senders; sender++)
    {
        text += std::to_string(sender) + " 0 3 100 1000000 0\n";
    }
    return Write("incast-" + std::to_string(senders), text);
}

FlowRunOptions
FlowRunUnderTest::Parse(const std::vector<std::string>& arguments, const std::string& folder) const
{
    Reset();
    FlowOptions options;
    EXPECT_TRUE(ParseWords(options, arguments));
    FlowRunOptions run = options.MakeRun();
    run.results.path = m_folder + "/" + folder;
    return run;
}

RunSummary
FlowRunUnderTest::Simulate(const std::vector<std::string>& arguments, const std::string& folder)
{
    const RunSummary summary = FlowRun(Parse(arguments, folder)).Run();
    SqliteDatabase database(m_folder + "/" + folder + "/results.db", SqliteDatabase::Mode::READ);
    const auto isZero = [&](const std::string& sql) {
        auto select = database.Prepare(sql);
        EXPECT_TRUE(select.Step()) << sql;
        EXPECT_EQ(select.GetInteger(0), 0) << sql;
    };
    isZero("SELECT count(*) FROM flows WHERE slowdown < 1 OR end_ns < start_ns");
    isZero("SELECT count(*) FROM flows WHERE end_ns IS NOT NULL AND delivered_bytes <> "
           "payload_bytes");
    isZero("SELECT count(*) FROM links WHERE utilisation > 1");
    isZero("SELECT sum(delivered_bytes) - " +
           std::to_string(summary.network.payloadBytesDelivered) + " FROM flows");
    return summary;
}

std::string
FlowRunUnderTest::GetRefusal(const std::vector<std::string>& arguments)
{
    try
    {
        FlowRun run(Parse(arguments, "out"));
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

std::string
FlowRunUnderTest::Ask(const std::string& sql) const
{
    SqliteDatabase database(m_folder + "/out/results.db", SqliteDatabase::Mode::READ);
    auto select = database.Prepare(sql);
    std::string text;
    while (select.Step())
    {
        for (int column = 0; column < select.GetColumnCount(); column++)
        {
            text += text.empty() ? "" : " ";
            text += select.IsNull(column) ? "NULL" : select.GetText(column);
        }
    }
    return text;
}

std::string
FlowRunUnderTest::Read(const std::string& path) const
{
    std::ifstream file(m_folder + "/" + path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool
FlowRunUnderTest::Exists(const std::string& path) const
{
    return fs::exists(m_folder + "/" + path);
}

std::vector<std::string>
FlowRunUnderTest::ListFiles(const std::string& folder) const
{
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(m_folder + "/" + folder))
    {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

uint64_t
FlowRunUnderTest::CountFrames(const std::string& name) const
{
    const std::string bytes = Read("out/" + name);
    const auto get = [&](std::size_t at) {
        uint32_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof(word));
        return word;
    };
    if (bytes.size() < 24 || get(0) != 0xa1b23c4d)
    {
        ADD_FAILURE() << name << " is no pcap file with nanoseconds";
        return 0;
    }
    uint64_t frames = 0;
    std::size_t at = 24;
    while (at + 16 <= bytes.size())
    {
        at += 16 + get(at + 8);
        frames++;
    }
    EXPECT_EQ(at, bytes.size());
    return frames;
}

std::string
FlowRunUnderTest::GetIgnored(const std::vector<ConfigurationKey>& keys, const std::string& key)
{
    for (const ConfigurationKey& each : keys)
    {
        if (each.key == key && !each.ignored.empty())
        {
            return each.value + ": " + each.ignored;
        }
    }
    return "";
}

bool
FlowRunUnderTest::Mentions(const std::vector<std::string>& lines,
                           const std::vector<std::string>& words)
{
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
            return line.find(word) != std::string::npos;
        });
    });
}

} // namespace ns3
