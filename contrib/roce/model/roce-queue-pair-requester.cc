/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic-device.h"
#include "roce-rnr-timer.h"

#include "ns3/roce-psn.h"

/**
 * \file
 * \ingroup roce
 * RoceQueuePair as requester: acknowledgements, READ responses, CNPs, retries.
 */

namespace ns3
{

void
RoceQueuePair::ReceiveAck(FabricPacket& packet, FabricPort&, uint64_t now)
{
    if (!congestionControl)
    {
        return; // it never sent anything
    }
    m_markedBytes += RoceResponder::GetMarkedBytes(packet);
    m_markedPackets += RoceResponder::GetMarkedPackets(packet);
    if (requester.IsReading())
    {
        ReceiveReadNak(packet, now);
        return;
    }
    if (IsRnrNak(packet.aeth >> 24))
    {
        ReceiveRnrNak(packet, now);
        return;
    }
    RocePortScheduler& scheduler = m_nic.GetScheduler(port);
    scheduler.NoteDepartures(now);
    const uint64_t una = requester.GetUna();
    const AckReport report = ReadAck(packet, una);
    const uint64_t acked = requester.Acknowledge(report.nak ? report.psn : report.psn + 1);
    const LossFinding finding = lossRecovery->OnAck(report, requester.GetNumbers());
    const bool progress = requester.GetUna() != una;
    if (progress)
    {
        retries = 0;
        m_rnrRetries = 0;
    }
    if (progress || report.nak)
    {
        TellAck(packet, report.psn, acked, now);
    }
    if (finding != LossFinding::NOTHING)
    {
        requester.Reseek();
    }
    if (finding == LossFinding::LOSS)
    {
        congestionControl->OnLoss({now, requester.GetNext(), false});
    }
    if (progress || report.nak || finding == LossFinding::LOSS)
    {
        UpdateAckTimer(now);
    }
    CompleteMessages();
    scheduler.Wake(*this, now);
}

void
RoceQueuePair::TellAck(const FabricPacket& packet, uint64_t psn, uint64_t acked, uint64_t now)
{
    AckEvent event;
    event.now = now;
    event.psn = psn;
    event.nextPsn = requester.GetNext();
    event.ackedBytes = acked;
    event.rtt = now - packet.stamp;
    event.markedBytes = m_markedBytes;
    event.markedPackets = m_markedPackets;
    event.telemetry = packet.telemetry;
    m_markedBytes = 0;
    m_markedPackets = 0;
    if (event.rtt > 0)
    {
        congestionControl->TraceRtt(event);
    }
    congestionControl->OnAck(event);
}

AckReport
RoceQueuePair::ReadAck(const FabricPacket& packet, uint64_t una)
{
    AckReport report;
    report.nak = packet.aeth >> 24 == AETH_NAK_SEQUENCE;
    report.psn = ExpandPsn(packet.psn, una);
    report.selective = static_cast<RoceOpcode>(packet.opcode) == RoceOpcode::SELECTIVE_ACKNOWLEDGE;
    if (report.selective)
    {
        // Not near psn: before the first packet came, that is the number before it.
        report.sackPsn = ExpandPsn(SackRecord::GetPsn(packet), una);
        report.sackBits = SackRecord::GetBits(packet);
    }
    return report;
}

void
RoceQueuePair::ReceiveRnrNak(const FabricPacket& packet, uint64_t now)
{
    const uint64_t una = requester.GetUna();
    const uint64_t psn = ExpandPsn(packet.psn, una);
    if (psn < una || requester.IsHeld())
    {
        return; // old news
    }
    m_nic.GetScheduler(port).NoteDepartures(now);
    const uint64_t acked = requester.Acknowledge(psn);
    const bool progress = requester.GetUna() != una;
    m_rnrRetries = progress ? 1 : m_rnrRetries + 1;
    retries = 0;
    if (progress)
    {
        TellAck(packet, psn, acked, now); // of what came before the packet that was refused
    }
    CompleteMessages();
    if (settings.rnrRetry != RNR_RETRY_FOREVER && m_rnrRetries > settings.rnrRetry)
    {
        Fail(RoceStatus::RNR_RETRY_EXCEEDED);
        return;
    }
    requester.Hold(true);
    ackTimer.Set(now + RnrTime(packet.aeth >> 24).GetTimeStep());
}

void
RoceQueuePair::ReceiveReadResponse(FabricPacket& packet, FabricPort& in, uint64_t now)
{
    NoteMark(packet, in, now);
    const uint64_t una = requester.GetUna();
    const uint64_t psn = ExpandPsn(packet.psn, una);
    if (!requester.IsReading() || psn < una || psn >= requester.GetNext())
    {
        return; // it was here before
    }
    const Arrival arrival = GetReadArrivals().Accept(psn, una);
    if (arrival.kind == ArrivalKind::IN_ORDER || arrival.kind == ArrivalKind::BUFFERED)
    {
        m_nic.GetFabric()->counters.payloadBytesDelivered += packet.payloadBytes;
        receivedBytes += packet.payloadBytes;
    }
    const uint64_t acked = requester.Acknowledge(arrival.expected);
    if (GovernsReads())
    {
        TellRead(packet, GetReadRoundTrip(psn, una, now), acked, now);
    }
    Reread(m_readArrivals->LostAfter(arrival, psn, requester.GetNext()), now);
    if (requester.GetUna() != una)
    {
        retries = 0;
        UpdateAckTimer(now);
    }
    CompleteMessages();
    m_nic.GetScheduler(port).Wake(*this, now);
}

void
RoceQueuePair::TellRead(FabricPacket& packet, uint64_t rtt, uint64_t acked, uint64_t now)
{
    if (packet.ecn == static_cast<uint8_t>(EcnCodepoint::CE))
    {
        m_markedBytes += packet.payloadBytes;
        m_markedPackets++;
    }
    if (acked > 0)
    {
        packet.stamp = now - rtt;
        TellAck(packet, requester.GetUna() - 1, acked, now);
    }
}

uint64_t
RoceQueuePair::GetReadRoundTrip(uint64_t psn, uint64_t expected, uint64_t now)
{
    // Those before it in its part are full.
    const auto bits = static_cast<unsigned __int128>(
        8 * (RoceWire::FullFrameBytes(settings.mtuBytes, m_telemetryBytes) +
             m_nic.GetPort(port).GetGapBytes()));
    const auto packetTicks =
        static_cast<uint64_t>(bits * FabricEngine::GetTicksPerSecond() / pacing.lineRateBps);
    return m_readArrivals->GetRoundTrip(psn, expected, now, packetTicks);
}

uint64_t
RoceQueuePair::GetResponseBytes(const FabricPacket& packet, uint32_t gapBytes) const
{
    const uint64_t packets = PacketsOf(packet.messageBytes, settings.mtuBytes);
    const uint64_t bytes =
        packets * (gapBytes + RoceWire::FullFrameBytes(settings.mtuBytes, m_telemetryBytes));
    const uint64_t missing = packets * settings.mtuBytes - packet.messageBytes; // of the last one
    return bytes - std::min(bytes, missing);
}

void
RoceQueuePair::ReceiveReadNak(const FabricPacket& packet, uint64_t now)
{
    const uint64_t psn = ExpandPsn(packet.psn, requester.GetUna());
    if (packet.aeth >> 24 != AETH_NAK_SEQUENCE || psn < requester.GetUna())
    {
        return; // of what was sent before the READs
    }
    Reread(GetReadArrivals().Missing(psn, requester.GetNext()), now);
    m_nic.GetScheduler(port).Wake(*this, now);
}

RoceReadArrivals&
RoceQueuePair::GetReadArrivals()
{
    if (!m_readArrivals)
    {
        m_readArrivals = std::make_unique<RoceReadArrivals>(MakeLossRecovery());
    }
    return *m_readArrivals;
}

void
RoceQueuePair::Reread(const std::vector<PsnRange>& ranges, uint64_t now)
{
    if (!ranges.empty() && GovernsReads())
    {
        congestionControl->OnLoss({now, ranges.front().psn, false});
    }
    for (const PsnRange& range : ranges)
    {
        requester.Reread(range);
    }
}

void
RoceQueuePair::ReceiveCnp(FabricPacket&, FabricPort&, uint64_t now)
{
    if (congestionControl)
    {
        RocePortScheduler& scheduler = m_nic.GetScheduler(port);
        scheduler.NoteDepartures(now);
        congestionControl->OnCnp({now});
        scheduler.Wake(*this, now);
    }
}

uint64_t
RoceQueuePair::GetAckDue() const
{
    const SendNumbers numbers = requester.GetNumbers();
    return m_ackTimerStart + lossRecovery->GetTimeout(numbers.highest - numbers.una, retries);
}

void
RoceQueuePair::StartAckTimer(uint64_t since)
{
    m_ackTimerStart = since;
    ackTimer.Set(GetAckDue());
}

void
RoceQueuePair::UpdateAckTimer(uint64_t now)
{
    if (requester.IsHeld())
    {
        return; // the timer counts the time that the RNR NAK asked for
    }
    if (requester.HasOutstanding())
    {
        StartAckTimer(now);
    }
    else
    {
        ackTimer.Clear();
    }
}

void
RoceQueuePair::AckTimeout()
{
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    if (m_datagrams)
    {
        m_nic.GetScheduler(port).NoteDepartures(now);
        CompleteDatagrams();
        return;
    }
    if (requester.IsHeld())
    {
        requester.Hold(false);
        Resend(now);
        return;
    }
    if (!requester.HasOutstanding() || requester.HasRereads())
    {
        return; // runs again from the next departure on: a request that waits was not lost again
    }
    if (GetAckDue() > now)
    {
        ackTimer.Set(GetAckDue()); // more is outstanding than when it was set
        return;
    }
    m_nic.GetFabric()->counters.timeouts++;
    if (++retries > settings.retryCount)
    {
        Fail(RoceStatus::RETRY_EXCEEDED);
        return;
    }
    m_nic.GetScheduler(port).NoteDepartures(now);
    StartAckTimer(now);
    if (!requester.IsReading() || GovernsReads())
    {
        congestionControl->OnLoss({now, requester.GetUna(), true});
    }
    Resend(now);
}

void
RoceQueuePair::Resend(uint64_t now)
{
    if (requester.IsReading())
    {
        for (const PsnRange& range :
             GetReadArrivals().Missing(requester.GetUna(), requester.GetNext()))
        {
            requester.Reread(range);
        }
    }
    else
    {
        lossRecovery->OnTimeout(requester.GetNumbers());
        requester.Reseek();
    }
    m_nic.GetScheduler(port).Wake(*this, now);
}

} // namespace ns3
