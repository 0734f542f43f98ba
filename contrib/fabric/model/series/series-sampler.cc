/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "series-sampler.h"

namespace ns3
{

SeriesSampler::SeriesSampler(const SeriesRecorder& recorder,
                             const SeriesRecord& object,
                             Keep keep)
    : m_recorder(recorder),
      m_object(object),
      m_keep(keep)
{
}

void
SeriesSampler::Take(uint64_t when, double value)
{
    const Sample sample{when, value};
    const uint64_t interval = m_recorder.GetInterval();
    if (interval == 0)
    {
        Record(sample);
        return;
    }
    const uint64_t index = when / interval;
    if (m_held && index != m_index)
    {
        Flush();
    }
    if (!m_held || value > m_greatest.value)
    {
        m_greatest = sample;
    }
    m_held = true;
    m_index = index;
    m_last = sample;
}

void
SeriesSampler::Flush()
{
    if (!m_held)
    {
        return;
    }
    m_held = false;
    if (m_keep == Keep::GREATEST)
    {
        Record(m_greatest);
    }
    if (m_keep == Keep::LAST || m_last.value == 0)
    {
        Record(m_last);
    }
}

void
SeriesSampler::Record(const Sample& sample)
{
    if (!m_any || sample.value != m_recorded)
    {
        m_any = true;
        m_recorded = sample.value;
        m_recorder.Record(m_object, sample.when, sample.value);
    }
}

} // namespace ns3
