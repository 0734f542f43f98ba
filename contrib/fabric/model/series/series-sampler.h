/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SERIES_SAMPLER_H
#define SERIES_SAMPLER_H

#include "series-recorder.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief The samples of one object: hands all of them on, or one for every interval.
 *
 * Samples come in order of time. A sample that repeats the value before it is left out.
 */
class SeriesSampler
{
  public:
    /** Which sample of an interval is kept. */
    enum class Keep : uint8_t
    {
        LAST,     //!< the last: the value at the end of the interval
        GREATEST, //!< the greatest, the first of several; and the last if it is 0
    };

    /**
     * \param recorder gets the samples, must outlive this object
     * \param object names the object
     * \param keep which sample of an interval is kept
     */
    SeriesSampler(const SeriesRecorder& recorder, const SeriesRecord& object, Keep keep);

    /** \param when ticks \param value the value from then on */
    void Take(uint64_t when, double value);

    /** Records what is held back. */
    void Flush();

  private:
    /** A sample. */
    struct Sample
    {
        uint64_t when{0}; //!< ticks
        double value{0};  //!< value from then on
    };

    /** \param sample is recorded, unless it says nothing new */
    void Record(const Sample& sample);

    const SeriesRecorder& m_recorder; //!< gets the samples
    SeriesRecord m_object;            //!< names the object
    Keep m_keep;                      //!< which sample of an interval is kept
    bool m_held{false};               //!< there are samples not recorded yet
    uint64_t m_index{0};              //!< interval that they lie in
    Sample m_greatest;                //!< the greatest of them
    Sample m_last;                    //!< the last of them
    bool m_any{false};                //!< something was recorded
    double m_recorded{0};             //!< the value recorded last
};

} // namespace ns3

#endif /* SERIES_SAMPLER_H */
