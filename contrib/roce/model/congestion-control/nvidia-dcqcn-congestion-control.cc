/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvidia-dcqcn-congestion-control.h"

#include "dcqcn-target-step.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NvidiaDcqcnCongestionControl);

namespace
{

constexpr double RATE_UNIT = 1e6;        //!< in which the firmware keeps rates, bit/s
constexpr uint64_t BYTE_RESET_UNIT = 64; //!< in which the firmware keeps the byte counter, bytes
constexpr double ALPHA_ONE = 1024;       //!< 10 bits of fraction
constexpr double ALPHA_MIN = 1;          //!< alpha's smallest value
constexpr double ALPHA_MAX = 1023;       //!< alpha's largest value

} // namespace

TypeId
NvidiaDcqcnCongestionControl::GetTypeId()
{
    using Self = NvidiaDcqcnCongestionControl;
    static TypeId tid =
        TypeId("ns3::NvidiaDcqcnCongestionControl")
            .SetParent<RoceCongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<NvidiaDcqcnCongestionControl>()
            .AddAttribute("ClampTgtRate",
                          "Every cut makes the current rate the target rate, or only the first one "
                          "after an increase does (firmware CLAMP_TGT_RATE: 0).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_clampTargetRate),
                          MakeBooleanChecker())
            .AddAttribute("ClampTgtRateAfterTimeInc",
                          "An increase by the timer counts as one for ClampTgtRate, or only one by "
                          "the byte counter does (firmware CLAMP_TGT_RATE_AFTER_TIME_INC: 1).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_clampAfterTimeIncrease),
                          MakeBooleanChecker())
            .AddAttribute("RpgTimeReset",
                          "Time between rate increases without CNPs (firmware RPG_TIME_RESET: 300 "
                          "us).",
                          TimeValue(MicroSeconds(300)),
                          MakeTimeAccessor(&Self::m_timeReset),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "RpgByteReset",
                "Wire bytes between rate increases without CNPs, in units of 64 bytes, 0 = "
                "off (firmware RPG_BYTE_RESET: 32767).",
                UintegerValue(32767),
                MakeUintegerAccessor(&Self::m_byteReset),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "RpgThreshold",
                "Stages F before additive and hyper increase (firmware RPG_THRESHOLD: 1).",
                UintegerValue(1),
                MakeUintegerAccessor(&Self::m_threshold),
                MakeUintegerChecker<uint32_t>(1, 31))
            .AddAttribute("RpgAiRate",
                          "Step of additive increase (firmware RPG_AI_RATE: 5 Mb/s).",
                          DataRateValue(DataRate(5000000)),
                          MakeDataRateAccessor(&Self::m_additiveIncrease),
                          MakeDataRateChecker())
            .AddAttribute("RpgHaiRate",
                          "Step of hyper increase (firmware RPG_HAI_RATE: 50 Mb/s).",
                          DataRateValue(DataRate(50000000)),
                          MakeDataRateAccessor(&Self::m_hyperIncrease),
                          MakeDataRateChecker())
            .AddAttribute("RpgGd",
                          "Logarithm to base 2 of alpha's divisor in a cut (firmware RPG_GD: 11).",
                          UintegerValue(11),
                          MakeUintegerAccessor(&Self::m_gdShift),
                          MakeUintegerChecker<uint32_t>(10, 15))
            .AddAttribute("RpgMinDecFac",
                          "Smallest part of the rate that a cut leaves, per cent (firmware "
                          "RPG_MIN_DEC_FAC: 50).",
                          UintegerValue(50),
                          MakeUintegerAccessor(&Self::m_minDecreaseFactor),
                          MakeUintegerChecker<uint32_t>(0, 100))
            .AddAttribute("RpgMinRate",
                          "Floor of the rate (firmware RPG_MIN_RATE: 1 Mb/s).",
                          DataRateValue(DataRate(1000000)),
                          MakeDataRateAccessor(&Self::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("RpgMaxRate",
                          "Rate at which the rate limiter is released, 0 = line rate (firmware "
                          "RPG_MAX_RATE: 0).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Self::m_maxRate),
                          MakeDataRateChecker())
            .AddAttribute("RateToSetOnFirstCnp",
                          "Current and target rate at the first CNP, 0 = line rate (firmware "
                          "RATE_TO_SET_ON_FIRST_CNP: 0).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Self::m_firstRate),
                          MakeDataRateChecker())
            .AddAttribute("DceTcpG",
                          "Weight G of alpha's old value, in 1/1024 (firmware DCE_TCP_G: 1019).",
                          UintegerValue(1019),
                          MakeUintegerAccessor(&Self::m_alphaWeight),
                          MakeUintegerChecker<uint32_t>(0, 1023))
            .AddAttribute("DceTcpRtt",
                          "Period of alpha (firmware DCE_TCP_RTT: 1 us).",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&Self::m_alphaPeriod),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("InitialAlphaValue",
                          "Alpha at the first CNP, in 1/1024 (firmware INITIAL_ALPHA_VALUE: 1023).",
                          UintegerValue(1023),
                          MakeUintegerAccessor(&Self::m_initialAlpha),
                          MakeUintegerChecker<uint32_t>(1, 1023))
            .AddAttribute("RateReduceMonitorPeriod",
                          "Period of cuts (firmware RATE_REDUCE_MONITOR_PERIOD: 4 us).",
                          TimeValue(MicroSeconds(4)),
                          MakeTimeAccessor(&Self::m_reducePeriod),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "MinTimeBetweenCnps",
                "Least time between two CNPs of the receiving NIC for this queue pair, 0 = "
                "the NIC's own (firmware MIN_TIME_BETWEEN_CNPS: 4 us).",
                TimeValue(MicroSeconds(4)),
                MakeTimeAccessor(&Self::m_cnpInterval),
                MakeTimeChecker(Time(0)));
    return tid;
}

Ptr<RoceCongestionControl>
NvidiaDcqcnCongestionControl::Fork() const
{
    return CopyObject(Ptr<const NvidiaDcqcnCongestionControl>(this));
}

CongestionControlNeeds
NvidiaDcqcnCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ecn = true;
    needs.cnp = true;
    needs.cnpInterval = m_cnpInterval.GetTimeStep();
    return needs;
}

void
NvidiaDcqcnCongestionControl::Start(const CongestionControlStart& start)
{
    NS_ABORT_MSG_IF(start.lineRateBps == 0, "DCQCN was started with a line rate of 0");
    m_alphaTicks = m_alphaPeriod.GetTimeStep();
    m_reduceTicks = m_reducePeriod.GetTimeStep();
    m_increaseTicks = m_timeReset.GetTimeStep();
    NS_ABORT_MSG_IF(m_alphaTicks == 0 || m_reduceTicks == 0 || m_increaseTicks == 0,
                    "NvidiaDcqcn's DceTcpRtt, RateReduceMonitorPeriod and RpgTimeReset must last "
                    "one tick at least");
    m_counterBytes = m_byteReset * BYTE_RESET_UNIT;
    m_alphaDecay = m_alphaWeight / ALPHA_ONE;
    m_alphaGain = ALPHA_ONE - m_alphaWeight;
    m_cutScale = std::ldexp(1.0, -static_cast<int>(m_gdShift));
    m_cutFloor = m_minDecreaseFactor / 100.0;
    SetLineRate(start.lineRateBps);
    SetRate(start.now, m_lineRate);
}

void
NvidiaDcqcnCongestionControl::SetLineRate(uint64_t lineRateBps)
{
    m_lineRate = static_cast<double>(lineRateBps);
    const auto maxRate = static_cast<double>(m_maxRate.GetBitRate());
    m_ceiling = maxRate > 0 ? std::min(maxRate, m_lineRate) : m_lineRate;
    m_floor = std::min(m_ceiling, std::max(1.0, static_cast<double>(m_minRate.GetBitRate())));
}

void
NvidiaDcqcnCongestionControl::OnLineRate(const LineRateEvent& event)
{
    CatchUpRate(event.now);
    const double before = m_ceiling;
    SetLineRate(event.lineRateBps);
    if (!m_limited)
    {
        SetRate(event.now, m_lineRate);
        return;
    }
    m_target = Follow(m_target, before, m_ceiling);
    SetLimit(event.now, Follow(m_rate, before, m_ceiling));
}

void
NvidiaDcqcnCongestionControl::OnSend(const SendEvent& event)
{
    CatchUpRate(event.now);
    if (!m_limited || m_counterBytes == 0)
    {
        return;
    }
    m_bytes += event.wireBytes;
    while (m_limited && m_bytes >= m_counterBytes)
    {
        m_bytes -= m_counterBytes;
        m_byteStage++;
        Increase(event.now);
    }
}

void
NvidiaDcqcnCongestionControl::OnCnp(const CnpEvent& event)
{
    CatchUpRate(event.now);
    if (!m_limited)
    {
        Limit(event.now);
    }
    PlayAlpha(event.now);
    m_alphaCnp = true;
    if (m_cutDue == NEVER)
    {
        const uint64_t periods = (event.now - m_limitedSince) / m_reduceTicks;
        m_cutDue = m_limitedSince + (periods + 1) * m_reduceTicks;
    }
}

void
NvidiaDcqcnCongestionControl::Limit(uint64_t now)
{
    m_limited = true;
    const auto first = static_cast<double>(m_firstRate.GetBitRate());
    m_target = std::max(m_floor, std::min(m_ceiling, first > 0 ? first : m_lineRate));
    SetRate(now, m_target);
    m_alpha = m_initialAlpha;
    m_alphaTrace(now, m_alpha / ALPHA_ONE);
    m_alphaCnp = false;
    m_nextAlpha = now + m_alphaTicks;
    m_limitedSince = now;
    m_nextIncrease = now + m_increaseTicks;
    m_bytes = 0;
    m_timeStage = 0;
    m_byteStage = 0;
}

void
NvidiaDcqcnCongestionControl::CatchUpRate(uint64_t now)
{
    if (!m_limited)
    {
        return;
    }
    if (m_cutDue <= now)
    {
        PlayIncrease(m_cutDue);
        PlayAlpha(m_cutDue);
        Cut(m_cutDue);
    }
    PlayIncrease(now);
}

void
NvidiaDcqcnCongestionControl::Cut(uint64_t when)
{
    m_cutDue = NEVER;
    if (m_clampTargetRate || m_byteStage > 0 || (m_clampAfterTimeIncrease && m_timeStage > 0))
    {
        m_target = m_rate;
    }
    const double factor = std::max(1 - m_alpha * m_cutScale, m_cutFloor);
    SetRate(when, std::max(m_floor, m_rate * factor));
    m_timeStage = 0;
    m_byteStage = 0;
    m_bytes = 0;
    m_nextIncrease = when + m_increaseTicks;
}

void
NvidiaDcqcnCongestionControl::PlayAlpha(uint64_t now)
{
    const bool traced = !m_alphaTrace.IsEmpty();
    while (m_nextAlpha <= now)
    {
        m_alpha = m_alpha * m_alphaDecay + (m_alphaCnp ? m_alphaGain : 0);
        m_alpha = std::max(ALPHA_MIN, std::min(ALPHA_MAX, m_alpha));
        m_alphaCnp = false;
        if (traced)
        {
            m_alphaTrace(m_nextAlpha, m_alpha / ALPHA_ONE);
        }
        m_nextAlpha += m_alphaTicks;
        if (m_alpha == ALPHA_MIN && m_nextAlpha <= now)
        {
            m_nextAlpha += ((now - m_nextAlpha) / m_alphaTicks + 1) * m_alphaTicks;
        }
    }
}

void
NvidiaDcqcnCongestionControl::PlayIncrease(uint64_t now)
{
    while (m_limited && m_nextIncrease <= now)
    {
        const uint64_t when = m_nextIncrease;
        m_nextIncrease += m_increaseTicks;
        m_timeStage++;
        Increase(when);
    }
}

void
NvidiaDcqcnCongestionControl::Increase(uint64_t when)
{
    const double step = DcqcnTargetStep(m_timeStage,
                                        m_byteStage,
                                        m_threshold,
                                        static_cast<double>(m_additiveIncrease.GetBitRate()),
                                        static_cast<double>(m_hyperIncrease.GetBitRate()));
    m_target = std::min(m_ceiling, m_target + step);
    SetLimit(when, (m_target + m_rate) / 2);
}

void
NvidiaDcqcnCongestionControl::SetLimit(uint64_t when, double rate)
{
    m_limited = m_cutDue != NEVER || rate < m_ceiling - RATE_UNIT;
    if (!m_limited)
    {
        PlayAlpha(when); // the last of it that is traced
    }
    SetRate(when, m_limited ? rate : m_lineRate);
}

uint64_t
NvidiaDcqcnCongestionControl::GetRateBps(uint64_t now)
{
    CatchUpRate(now);
    return m_rateBps;
}

uint64_t
NvidiaDcqcnCongestionControl::GetNextChange(uint64_t now)
{
    CatchUpRate(now);
    return m_limited ? m_nextIncrease : NEVER;
}

void
NvidiaDcqcnCongestionControl::CatchUp(uint64_t now)
{
    CatchUpRate(now);
    if (m_limited)
    {
        PlayAlpha(now);
    }
}

bool
NvidiaDcqcnCongestionControl::IsLimited(uint64_t now)
{
    CatchUpRate(now);
    return m_limited;
}

double
NvidiaDcqcnCongestionControl::GetCurrentRate(uint64_t now)
{
    CatchUpRate(now);
    return m_rate;
}

double
NvidiaDcqcnCongestionControl::GetTargetRate(uint64_t now)
{
    CatchUpRate(now);
    return m_limited ? m_target : m_lineRate;
}

double
NvidiaDcqcnCongestionControl::GetAlpha(uint64_t now)
{
    CatchUpRate(now);
    if (!m_limited)
    {
        return m_initialAlpha;
    }
    PlayAlpha(now);
    return m_alpha;
}

uint64_t
NvidiaDcqcnCongestionControl::GetTimeStage(uint64_t now)
{
    CatchUpRate(now);
    return m_limited ? m_timeStage : 0;
}

uint64_t
NvidiaDcqcnCongestionControl::GetByteStage(uint64_t now)
{
    CatchUpRate(now);
    return m_limited ? m_byteStage : 0;
}

void
NvidiaDcqcnCongestionControl::SetRate(uint64_t when, double rate)
{
    if (rate != m_rate)
    {
        m_rate = rate;
        m_rateBps = static_cast<uint64_t>(rate);
        m_rateTrace(when, m_rateBps);
    }
}

} // namespace ns3
