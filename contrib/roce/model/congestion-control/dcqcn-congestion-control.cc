/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "dcqcn-congestion-control.h"

#include "dcqcn-target-step.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcqcnCongestionControl);

TypeId
DcqcnCongestionControl::GetTypeId()
{
    using Self = DcqcnCongestionControl;
    static TypeId tid =
        TypeId("ns3::DcqcnCongestionControl")
            .SetParent<RoceCongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<DcqcnCongestionControl>()
            .AddAttribute("AlphaGain",
                          "Gain g of alpha (SIGCOMM'15, section 5: 1/256).",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&Self::m_gain),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("InitialAlpha",
                          "Alpha of a new queue pair (SIGCOMM'15, section 3.1: 1).",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&Self::m_initialAlpha),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("AlphaTimer",
                          "Time without a CNP after which alpha decays (SIGCOMM'15, section 5).",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&Self::m_alphaTimer),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("AlphaTimerBeforeFirstCnp",
                          "Alpha decays from the start of the queue pair (the paper's letter), or "
                          "from its first CNP (NICs).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_alphaTimerBeforeFirstCnp),
                          MakeBooleanChecker())
            .AddAttribute("IncreaseTimer",
                          "Period T of the timed rate increase (SIGCOMM'15, section 5).",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&Self::m_increaseTimer),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ByteCounter",
                          "Wire bytes B per counted rate increase, 0 = none (SIGCOMM'15, section "
                          "5: 10 MB).",
                          UintegerValue(10000000),
                          MakeUintegerAccessor(&Self::m_byteCounter),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("FastRecoveryStages",
                          "Stages F of fast recovery (SIGCOMM'15, section 3.1).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Self::m_fastRecoveryStages),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AdditiveIncrease",
                          "Step R_AI of additive increase; 0 = 1/1000 of the line rate, which is "
                          "the paper's 40 Mb/s at the paper's 40 Gb/s (SIGCOMM'15, section 5).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Self::m_additiveIncrease),
                          MakeDataRateChecker())
            .AddAttribute("HyperIncrease",
                          "Step R_HAI of hyper increase; 0 = 1/200 of the line rate, which is 200 "
                          "Mb/s at 40 Gb/s (not in the paper; the configuration of its authors' "
                          "simulator, bobzhuyb/ns3-rdma).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Self::m_hyperIncrease),
                          MakeDataRateChecker())
            .AddAttribute("ClampTargetRate",
                          "Every CNP lowers the target to the current rate (SIGCOMM'15, equation "
                          "1), or only the first one after an increase does (NVIDIA firmware: "
                          "CLAMP_TGT_RATE = 0).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_clampTargetRate),
                          MakeBooleanChecker())
            .AddAttribute("MinRate",
                          "Floor of the rate (not in the paper; NIC firmware: RPG_MIN_RATE). A "
                          "high floor keeps many flows from sharing a link: 100 of 100 Mb/s fill "
                          "10 Gb/s.",
                          DataRateValue(DataRate(1000000)),
                          MakeDataRateAccessor(&Self::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("MinimumDecreaseInterval",
                          "A CNP that follows the last cut by less is ignored; 0 = none is.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Self::m_minimumDecreaseInterval),
                          MakeTimeChecker(Time(0)));
    return tid;
}

Ptr<RoceCongestionControl>
DcqcnCongestionControl::Fork() const
{
    return CopyObject(Ptr<const DcqcnCongestionControl>(this));
}

CongestionControlNeeds
DcqcnCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ecn = true;
    needs.cnp = true;
    return needs;
}

void
DcqcnCongestionControl::Start(const CongestionControlStart& start)
{
    NS_ABORT_MSG_IF(start.lineRateBps == 0, "DCQCN was started with a line rate of 0");
    m_alphaPeriod = m_alphaTimer.GetTimeStep();
    m_increasePeriod = m_increaseTimer.GetTimeStep();
    m_decreaseInterval = m_minimumDecreaseInterval.GetTimeStep();
    NS_ABORT_MSG_IF(m_alphaPeriod == 0 || m_increasePeriod == 0,
                    "DCQCN's AlphaTimer and IncreaseTimer must last one tick at least");
    SetLineRate(start.lineRateBps);
    m_target = m_lineRate;
    m_alpha = m_initialAlpha;
    m_alphaTrace(start.now, m_alpha);
    m_nextIncrease = start.now + m_increasePeriod;
    m_nextAlpha = m_alphaTimerBeforeFirstCnp ? start.now + m_alphaPeriod
                                             : std::numeric_limits<uint64_t>::max();
    SetRate(start.now, m_lineRate);
}

void
DcqcnCongestionControl::SetLineRate(uint64_t lineRateBps)
{
    const auto step = [lineRateBps](const DataRate& rate, uint64_t part) {
        const uint64_t bps = rate.GetBitRate();
        return static_cast<double>(bps ? bps : lineRateBps / part);
    };
    m_additiveStep = step(m_additiveIncrease, 1000);
    m_hyperStep = step(m_hyperIncrease, 200);
    m_lineRate = static_cast<double>(lineRateBps);
    m_floor = std::min(m_lineRate, std::max(1.0, static_cast<double>(m_minRate.GetBitRate())));
}

void
DcqcnCongestionControl::OnLineRate(const LineRateEvent& event)
{
    CatchUpIncrease(event.now);
    const double before = m_lineRate;
    SetLineRate(event.lineRateBps);
    m_target = Follow(m_target, before, m_lineRate);
    SetRate(event.now, Follow(m_rate, before, m_lineRate));
}

void
DcqcnCongestionControl::OnSend(const SendEvent& event)
{
    m_bytes += event.wireBytes;
    if (m_bytes < m_byteCounter || m_byteCounter == 0)
    {
        return;
    }
    CatchUpIncrease(event.now);
    while (m_bytes >= m_byteCounter)
    {
        m_bytes -= m_byteCounter;
        m_byteStage++;
        Increase(event.now);
    }
}

void
DcqcnCongestionControl::OnCnp(const CnpEvent& event)
{
    CatchUpIncrease(event.now);
    CatchUpAlpha(event.now);
    if (m_hasCut && event.now - m_lastCut < m_decreaseInterval)
    {
        return;
    }
    if (m_clampTargetRate || !m_hasCut || m_timerStage || m_byteStage)
    {
        m_target = m_rate;
    }
    SetRate(event.now, std::max(m_floor, m_rate * (1 - m_alpha / 2)));
    m_alpha = (1 - m_gain) * m_alpha + m_gain;
    m_alphaTrace(event.now, m_alpha);
    m_timerStage = 0;
    m_byteStage = 0;
    m_bytes = 0;
    m_nextIncrease = event.now + m_increasePeriod;
    m_nextAlpha = event.now + m_alphaPeriod;
    m_lastCut = event.now;
    m_hasCut = true;
}

uint64_t
DcqcnCongestionControl::GetRateBps(uint64_t now)
{
    CatchUpIncrease(now);
    return m_rateBps;
}

uint64_t
DcqcnCongestionControl::GetNextChange(uint64_t now)
{
    CatchUpIncrease(now);
    return m_rate < m_lineRate ? m_nextIncrease : NEVER;
}

void
DcqcnCongestionControl::CatchUp(uint64_t now)
{
    CatchUpIncrease(now);
    CatchUpAlpha(now);
}

double
DcqcnCongestionControl::GetCurrentRate(uint64_t now)
{
    CatchUpIncrease(now);
    return m_rate;
}

double
DcqcnCongestionControl::GetTargetRate(uint64_t now)
{
    CatchUpIncrease(now);
    return m_target;
}

double
DcqcnCongestionControl::GetAlpha(uint64_t now)
{
    CatchUpAlpha(now);
    return m_alpha;
}

uint64_t
DcqcnCongestionControl::GetTimerStage(uint64_t now)
{
    CatchUpIncrease(now);
    return m_timerStage;
}

uint64_t
DcqcnCongestionControl::GetByteStage() const
{
    return m_byteStage;
}

void
DcqcnCongestionControl::PlayIncrease(uint64_t now)
{
    while (m_nextIncrease <= now)
    {
        const double rate = m_rate;
        const double target = m_target;
        m_timerStage++;
        Increase(m_nextIncrease);
        m_nextIncrease += m_increasePeriod;
        if (m_rate == rate && m_target == target && m_nextIncrease <= now && IsSettled())
        {
            const uint64_t expirations = (now - m_nextIncrease) / m_increasePeriod + 1;
            m_timerStage += expirations;
            m_nextIncrease += expirations * m_increasePeriod;
        }
    }
}

void
DcqcnCongestionControl::CatchUpAlpha(uint64_t now)
{
    const bool traced = !m_alphaTrace.IsEmpty();
    while (m_nextAlpha <= now)
    {
        const double alpha = m_alpha;
        m_alpha *= 1 - m_gain;
        if (traced)
        {
            m_alphaTrace(m_nextAlpha, m_alpha);
        }
        m_nextAlpha += m_alphaPeriod;
        if (m_alpha == alpha && m_nextAlpha <= now)
        {
            m_nextAlpha += ((now - m_nextAlpha) / m_alphaPeriod + 1) * m_alphaPeriod;
        }
    }
}

void
DcqcnCongestionControl::Increase(uint64_t when)
{
    const double step = DcqcnTargetStep(m_timerStage,
                                        m_byteStage,
                                        m_fastRecoveryStages,
                                        m_additiveStep,
                                        m_hyperStep);
    m_target = std::min(m_lineRate, m_target + step);
    SetRate(when, (m_target + m_rate) / 2);
}

bool
DcqcnCongestionControl::IsSettled() const
{
    // At the line rate no step can lift the target. Below it the step stays what it is once
    // further expirations leave min(T, BC) alone.
    return m_target == m_lineRate ||
           (m_timerStage >= m_fastRecoveryStages && m_timerStage >= m_byteStage);
}

void
DcqcnCongestionControl::SetRate(uint64_t when, double rate)
{
    if (rate != m_rate)
    {
        m_rate = rate;
        m_rateBps = static_cast<uint64_t>(rate);
        m_rateTrace(when, m_rateBps);
    }
}

} // namespace ns3
