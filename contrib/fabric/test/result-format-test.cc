/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-test-data.h"

#include "ns3/result-format.h"

#include <cstdlib>
#include <limits>
#include <locale>
#include <stdexcept>

namespace ns3
{

TEST(FabricResultFormat, NanosecondsAreExact)
{
    UsePicoseconds();
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(0)), "0");
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(1)), "0.001");
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(10)), "0.01");
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(999)), "0.999");
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(1000)), "1");
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(87044960)), "87044.96");
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(100000)), "100");
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(-1500)), "-1.5");
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(std::numeric_limits<int64_t>::max())),
              "9223372036854775.807");
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(std::numeric_limits<int64_t>::min())),
              "-9223372036854775.808");
}

TEST(FabricResultFormat, MicrosecondsAreExact)
{
    UsePicoseconds();
    EXPECT_EQ(FormatMicroseconds(PicoSeconds(1)), "0.000001");
    EXPECT_EQ(FormatMicroseconds(PicoSeconds(87044960)), "87.04496");
    EXPECT_EQ(FormatMicroseconds(MicroSeconds(120)), "120");
}

TEST(FabricResultFormat, DurationChoosesItsUnit)
{
    UsePicoseconds();
    EXPECT_EQ(FormatDuration(PicoSeconds(0)), "0.000 ns");
    EXPECT_EQ(FormatDuration(PicoSeconds(84960)), "84.960 ns");
    EXPECT_EQ(FormatDuration(PicoSeconds(87044960)), "87.045 us");
    EXPECT_EQ(FormatDuration(MilliSeconds(33)), "33.000 ms");
    EXPECT_EQ(FormatDuration(Seconds(90)), "90.000 s");
}

TEST(FabricResultFormat, RealsAreShortAndReadBack)
{
    EXPECT_EQ(FormatReal(0.0), "0");
    EXPECT_EQ(FormatReal(0.1), "0.1");
    EXPECT_EQ(FormatReal(87044.96), "87044.96");
    EXPECT_EQ(FormatReal(46.875), "46.875");
    for (double value : {1.0 / 3.0, 2.0 / 3.0 * 1e9, 1e-300, 123456789.123456789, 5e22})
    {
        EXPECT_EQ(std::strtod(FormatReal(value).c_str(), nullptr), value);
    }
}

TEST(FabricResultFormat, RefusesWhatIsNotFinite)
{
    EXPECT_THROW(FormatReal(std::numeric_limits<double>::quiet_NaN()), std::logic_error);
    EXPECT_THROW(FormatReal(std::numeric_limits<double>::infinity()), std::logic_error);
    EXPECT_THROW(FormatFixed(-std::numeric_limits<double>::infinity(), 1), std::logic_error);
}

/** Numbers as some countries write them: 1.234,5. */
class CommaNumbers : public std::numpunct<char>
{
  protected:
    char do_decimal_point() const override
    {
        return ',';
    }

    char do_thousands_sep() const override
    {
        return '.';
    }

    std::string do_grouping() const override
    {
        return "\3";
    }
};

TEST(FabricResultFormat, LocaleChangesNothing)
{
    UsePicoseconds();
    std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
    EXPECT_EQ(FormatReal(123456.5), "123456.5");
    EXPECT_EQ(FormatFixed(123456.5, 2), "123456.50");
    EXPECT_EQ(FormatNanoseconds(PicoSeconds(87044960)), "87044.96");
    std::locale::global(before);
}

TEST(FabricResultFormat, BytesForPeople)
{
    EXPECT_EQ(FormatBytes(4), "4 B");
    EXPECT_EQ(FormatBytes(999), "999 B");
    EXPECT_EQ(FormatBytes(13870912), "13.87 MB");
    EXPECT_EQ(FormatBytes(uint64_t{5} << 50), "5629.50 TB");
}

TEST(FabricResultFormat, QuotesCsvAsRfc4180)
{
    EXPECT_EQ(QuoteCsv("plain text"), "plain text");
    EXPECT_EQ(QuoteCsv("a,b"), "\"a,b\"");
    EXPECT_EQ(QuoteCsv("say \"hi\""), "\"say \"\"hi\"\"\"");
    EXPECT_EQ(QuoteCsv("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(QuoteCsv(""), "");
}

} // namespace ns3
