/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"
#include "engine-under-test.h"

#include "ns3/object-factory.h"
#include "ns3/queue-pair-series-recorder.h"
#include "ns3/result-memory.h"
#include "ns3/scoped-defaults.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t G100 = 100000000000; //!< 100 Gb/s

/** \ingroup tests \brief One congestion control at 100 Gb/s whose every change is recorded. */
class SeriesUnderTest
{
  public:
    /** \param control TypeId name of the congestion control \param recorder of the recorder */
    SeriesUnderTest(const std::string& control, const std::string& recorder)
        : control(ObjectFactory(control).Create<RoceCongestionControl>()),
          m_recorder(ObjectFactory(recorder).Create<QueuePairSeriesRecorder>())
    {
        m_recorder->Start(m_memory, Time(0));
        m_recorder->Add(*this->control, {});
        this->control->Start(MakeStart(G100));
    }

    /** \param us time of a CNP, us */
    void Cnp(uint64_t us)
    {
        m_engine.At(UsTicks(us), [this] { control->OnCnp({EngineUnderTest::Now()}); });
    }

    /** \param us end of the run, us \return samples */
    const std::vector<SeriesRecord>& Run(uint64_t us)
    {
        Simulator::Stop(TimeStep(UsTicks(us)));
        Simulator::Run();
        m_recorder->Finish();
        return m_memory.Get<SeriesRecord>();
    }

  private:
    EngineUnderTest m_engine; //!< the simulation
    ResultMemory m_memory;    //!< what was recorded

  public:
    Ptr<RoceCongestionControl> control; //!< on test

  private:
    Ptr<QueuePairSeriesRecorder> m_recorder; //!< of its series
};

} // namespace

TEST(RoceQueuePairSeries, EveryMetricIsFoundByItsName)
{
    for (const auto& [name, unit] : std::vector<std::pair<std::string, std::string>>{
             {"rate", "bits/s"}, {"window", "bytes"}, {"alpha", ""}, {"rtt", "ns"}})
    {
        const TypeId type = SeriesRecorder::FindType({"test", 1, name});
        const auto recorder = ObjectFactory(type.GetName()).Create<SeriesRecorder>();
        EXPECT_EQ(recorder->GetMetric().name, name);
        EXPECT_EQ(recorder->GetMetric().unit, unit);
        EXPECT_EQ(recorder->GetInstanceTypeId(), type);
    }
}

TEST(RoceQueuePairSeries, AlphaDecaysUpToTheEndOfTheRun)
{
    SeriesUnderTest test("ns3::DcqcnCongestionControl", "ns3::AlphaSeriesRecorder");
    test.Cnp(10);
    const auto& samples = test.Run(10 + 55 * 3 + 1);
    ASSERT_EQ(samples.size(), 4U); // 1 at the start, which the first CNP leaves, then three decays
    double alpha = 1;
    for (uint64_t i = 1; i <= 3; i++)
    {
        alpha *= 1 - 1.0 / 256;
        EXPECT_EQ(samples[i].time, MicroSeconds(10 + 55 * i));
        EXPECT_EQ(samples[i].value, alpha);
    }
}

TEST(RoceQueuePairSeries, RateRecoversUpToTheEndOfTheRun)
{
    SeriesUnderTest test("ns3::DcqcnCongestionControl", "ns3::RateSeriesRecorder");
    test.Cnp(10);
    const auto& samples = test.Run(10 + 55 * 2);
    ASSERT_EQ(samples.size(), 4U);
    EXPECT_EQ(samples[1].value, 50e9);
    EXPECT_EQ(samples[2].value, 75e9);
    EXPECT_EQ(samples[3].value, 87.5e9);
    EXPECT_EQ(samples[3].time, MicroSeconds(120)) << "the end itself included";
}

TEST(RoceQueuePairSeries, FirmwareAlphaDecaysUntilItsLimiterIsReleased)
{
    ScopedDefaults defaults;
    const std::string type = "ns3::NvidiaDcqcnCongestionControl";
    defaults.Set(type + "::RpgMinDecFac", UintegerValue(99));
    defaults.Set(type + "::RpgTimeReset", TimeValue(MicroSeconds(10)));
    for (const uint64_t end : {1054, 2000})
    {
        SCOPED_TRACE(end);
        SeriesUnderTest test(type, "ns3::AlphaSeriesRecorder");
        // At 1004 us a cut to 99 Gb/s; what is missing is halved every 10 us, and below 1 Mb/s the
        // limiter is released, at 1104 us. The CNP's own period leaves alpha at its greatest.
        test.Cnp(1000);
        const auto& samples = test.Run(end);
        const uint64_t last = std::min<uint64_t>(end, 1104);
        ASSERT_EQ(samples.size(), last - 1000);
        double alpha = 1023;
        for (size_t i = 1; i < samples.size(); i++)
        {
            alpha *= 1019.0 / 1024;
            ASSERT_EQ(samples[i].value, alpha / 1024) << i;
            ASSERT_EQ(samples[i].time, MicroSeconds(1001 + i));
        }
        EXPECT_EQ(test.control->GetRateBps(UsTicks(end)) == G100, end > 1104);
    }
}

TEST(RoceQueuePairSeries, CatchingUpChangesNothing)
{
    for (const char* type : {"ns3::DcqcnCongestionControl", "ns3::NvidiaDcqcnCongestionControl"})
    {
        for (uint32_t seed = 0; seed < 50; seed++)
        {
            std::mt19937 random(seed);
            const auto once = ObjectFactory(type).Create<RoceCongestionControl>();
            const auto often = ObjectFactory(type).Create<RoceCongestionControl>();
            once->Start(MakeStart(G100));
            often->Start(MakeStart(G100));
            uint64_t now = 0;
            for (uint32_t i = 0; i < 2000; i++)
            {
                now += random() % 30000000; // up to 30 us
                if (random() % 5 == 0)
                {
                    often->CatchUp(now);
                }
                const uint32_t what = random() % 50;
                if (what == 0)
                {
                    once->OnCnp({now});
                    often->OnCnp({now});
                }
                once->OnSend({now, i, 400000, 1024});
                often->OnSend({now, i, 400000, 1024});
                ASSERT_EQ(once->GetRateBps(now), often->GetRateBps(now)) << type << " " << seed;
            }
        }
    }
}
