/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-test-data.h"

#include "ns3/progress-reporter.h"

#include <limits>

namespace ns3
{

namespace
{

using namespace std::chrono_literals;

/** A reporter whose clock the test moves. */
class FabricProgressReporter : public testing::Test
{
  protected:
    void SetUp() override
    {
        UsePicoseconds();
    }

    /** \return a clock that shows m_now */
    ProgressReporter::Clock GetClock()
    {
        return [this] { return m_now; };
    }

    std::chrono::steady_clock::time_point m_now{100s}; //!< what the clock shows
    std::ostringstream m_out;                          //!< the terminal
};

} // namespace

TEST_F(FabricProgressReporter, WritesALine)
{
    ProgressReporter reporter(m_out, ProgressReporter::Style::TERMINAL, GetClock());
    m_now += 20s;
    reporter.Poll({MicroSeconds(1500), 0.25, 100000000});
    EXPECT_EQ(m_out.str(),
              "\r\033[K25.0 % | simulated 1.500 ms | 20 s, 1 min 00 s left | 5.00 M packet-hops/s");
    m_out.str("");
    m_now += 2h;
    reporter.Poll({MicroSeconds(3000), std::nullopt, 100000000});
    EXPECT_EQ(m_out.str(), "\r\033[Ksimulated 3.000 ms | 2 h 00 min | 0.00 M packet-hops/s");
}

TEST_F(FabricProgressReporter, WritesAtMostTwiceASecond)
{
    ProgressReporter reporter(m_out, ProgressReporter::Style::TERMINAL, GetClock());
    int updates = 0;
    for (int i = 0; i < 1000; i++) // ten seconds
    {
        m_now += 10ms;
        reporter.Poll({MicroSeconds(i), 0.5, 0});
        updates += m_out.str().empty() ? 0 : 1;
        m_out.str("");
    }
    EXPECT_EQ(updates, 20);
}

TEST_F(FabricProgressReporter, IsSilentWhenDisabled)
{
    {
        ProgressReporter reporter(m_out, ProgressReporter::Style::SILENT, GetClock());
        m_now += 20s;
        reporter.Poll({MicroSeconds(1), 0.25, 1});
        reporter.Finish();
        EXPECT_FALSE(reporter.IsEnabled());
    }
    EXPECT_EQ(m_out.str(), "");
}

TEST_F(FabricProgressReporter, LogGetsALineAMinute)
{
    {
        ProgressReporter reporter(m_out, ProgressReporter::Style::LOG, GetClock());
        m_now += 59s;
        reporter.Poll({MicroSeconds(1500), 0.25, 59000000});
        EXPECT_EQ(m_out.str(), "");
        m_now += 1s;
        reporter.Poll({MicroSeconds(1500), 0.25, 60000000});
        m_now += 30s;
        reporter.Poll({MicroSeconds(1600), 0.26, 70000000});
    }
    EXPECT_EQ(m_out.str(),
              "progress: 25.0 % | simulated 1.500 ms | 1 min 00 s, 3 min 00 s left | 1.00 M "
              "packet-hops/s\n");
}

TEST_F(FabricProgressReporter, RemovesItsLine)
{
    {
        ProgressReporter reporter(m_out, ProgressReporter::Style::TERMINAL, GetClock());
        m_now += 1s;
        reporter.Poll({MicroSeconds(1), 0.25, 1});
        m_out.str("");
    }
    EXPECT_EQ(m_out.str(), "\r\033[K");
}

TEST_F(FabricProgressReporter, OddFractionsDoNoHarm)
{
    ProgressReporter reporter(m_out, ProgressReporter::Style::TERMINAL, GetClock());
    m_now += 1s;
    reporter.Poll({MicroSeconds(1), std::numeric_limits<double>::quiet_NaN(), 1});
    EXPECT_EQ(m_out.str().find('%'), std::string::npos);
    m_now += 1s;
    reporter.Poll({MicroSeconds(1), 1.5, 1});
    EXPECT_NE(m_out.str().find("100.0 % | simulated 1.000 us | 2 s, 0 s left"), std::string::npos);
}

} // namespace ns3
