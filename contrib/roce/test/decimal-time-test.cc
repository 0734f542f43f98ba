/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/decimal-time.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/** A row: a word that stands for seconds, and the femtoseconds that it means. */
struct Row
{
    const char* text;    //!< the word
    int64_t nanoseconds; //!< the time
};

/** \param text a word \param unit its unit \return its status */
DecimalTimeStatus
GetStatus(const std::string& text, Time::Unit unit = Time::S)
{
    Time ignored;
    return ParseDecimalTime(text, unit, ignored);
}

} // namespace

TEST(RoceDecimalTime, SecondsAreExact)
{
    const Row rows[] = {
        {"0", 0},
        {"2", 2000000000},
        {"2.", 2000000000},
        {".5", 500000000},
        {"0.001", 1000000},
        {"2.000000001", 2000000001},
        {"2.000000000", 2000000000},
        {"0000000000000000000000000000002.0", 2000000000},
        {"2.00000000000000000000000000000000000000", 2000000000},
        {"2.005", 2005000000}, // a double is below: 2.00499999999999989...
        {"1000000.123456789", 1000000123456789},
        {"1e-05", 10000},
        {"1.5E+1", 15000000000},
        {"123456789e-9", 123456789},
        {"0.0e99", 0},
    };
    for (const Row& row : rows)
    {
        Time time;
        ASSERT_EQ(ParseDecimalTime(row.text, Time::S, time), DecimalTimeStatus::OK) << row.text;
        EXPECT_EQ(time, NanoSeconds(row.nanoseconds)) << row.text;
    }
}

TEST(RoceDecimalTime, FinerThanATickGoesToTheNearest)
{
    // Ticks of this run; a tick is 10^-digits seconds.
    std::string zeros = "0.";
    for (int64_t tick = Time::FromInteger(1, Time::S).GetTimeStep(); tick > 1; tick /= 10)
    {
        zeros += "0";
    }
    const std::pair<const char*, int64_t> rows[] =
        {{"49", 0}, {"5", 1}, {"4999999", 0}, {"500001", 1}, {"04", 0}, {"09", 0}};
    for (const auto& [digits, ticks] : rows)
    {
        Time time;
        ASSERT_EQ(ParseDecimalTime(zeros + digits, Time::S, time), DecimalTimeStatus::OK);
        EXPECT_EQ(time.GetTimeStep(), ticks) << zeros + digits;
    }
}

TEST(RoceDecimalTime, UnitsDiffer)
{
    Time time;
    ASSERT_EQ(ParseDecimalTime("55", Time::US, time), DecimalTimeStatus::OK);
    EXPECT_EQ(time, MicroSeconds(55));
    ASSERT_EQ(ParseDecimalTime("2000000000", Time::NS, time), DecimalTimeStatus::OK);
    EXPECT_EQ(time, Seconds(2));
    ASSERT_EQ(ParseDecimalTime("0.25", Time::MS, time), DecimalTimeStatus::OK);
    EXPECT_EQ(time, MicroSeconds(250));
}

TEST(RoceDecimalTime, RefusesWhatIsNoTime)
{
    for (const char* text : {"",
                             ".",
                             "-1",
                             "+1",
                             "1.2.3",
                             "1s",
                             "0x10",
                             "e5",
                             "1e",
                             "1e+",
                             "1e+-5",
                             "1e1001",
                             "nan",
                             "inf",
                             "1,5",
                             "123456789012345678901"})
    {
        EXPECT_EQ(GetStatus(text), DecimalTimeStatus::NOT_A_TIME) << text;
    }
    for (const char* text : {"40000000000000.00", "1e30", "99999999999999999999", "1e1000"})
    {
        EXPECT_EQ(GetStatus(text), DecimalTimeStatus::TOO_LONG) << text;
    }
}

TEST(RoceDecimalTime, ErrorNamesWhatIsWrong)
{
    try
    {
        ReadDecimalTime(TextValue("flow.txt", uint64_t{7}, "2,0"), "start time, s", Time::S);
        FAIL() << "no error";
    }
    catch (const ConfigError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "flow.txt: line 7: read '2,0', expected start time, s (decimal number, 0 or "
                  "more, within the simulator's range)");
    }
}
