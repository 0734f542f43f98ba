/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CLASS_SERIES_TAP_H
#define CLASS_SERIES_TAP_H

#include "series-sampler.h"

#include "ns3/fabric-port.h"

#include <deque>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief What recorders of the traffic classes of a port have in common: a sampler for each, which
 * is flushed in the end. It needs no events: whenever it is told, the port was so at the departure.
 */
class ClassSeriesTap : public FabricTap
{
  public:
    /**
     * \param recorder gets the samples
     * \param object names the port
     * \param keep which sample of an interval is kept
     */
    ClassSeriesTap(const SeriesRecorder& recorder, SeriesRecord object, SeriesSampler::Keep keep)
    {
        for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
        {
            object.priority = static_cast<int32_t>(priority);
            m_classes.emplace_back(recorder, object, keep);
        }
    }

    ~ClassSeriesTap() override
    {
        for (SeriesSampler& sampler : m_classes)
        {
            sampler.Flush();
        }
    }

    bool WantsEvents() const override
    {
        return false;
    }

    void FrameSent(const FabricPacket& packet, uint64_t when) override
    {
        if (packet.priority < FabricPort::PRIORITIES) // no MAC control frame
        {
            ClassSent(packet, when);
        }
    }

    void FrameReceived(const FabricPacket&, uint64_t) override
    {
    }

  protected:
    /** \param packet a frame of a class, whose first bit left \param when ticks */
    virtual void ClassSent(const FabricPacket& packet, uint64_t when)
    {
    }

    /** \param priority a class \param when ticks \param value its value from then on */
    void Take(uint32_t priority, uint64_t when, double value)
    {
        m_classes[priority].Take(when, value);
    }

  private:
    std::deque<SeriesSampler> m_classes; //!< by class
};

} // namespace ns3

#endif /* CLASS_SERIES_TAP_H */
