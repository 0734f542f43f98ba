/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STEP_WINDOW_H
#define STEP_WINDOW_H

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief For how much each step of a PlanProgram still waits: of those from the first one that is
 * not done to the last one that was touched.
 *
 * Steps are done about in order, so that a few numbers stand for thousands of steps: of a thousand
 * ranks everything stays in the caches. In the worst case it holds all steps.
 */
class StepWindow
{
  public:
    /** A step is done. */
    static constexpr uint16_t DONE = UINT16_MAX;

    /** \param waits for how much each step waits at first; must outlive the window */
    explicit StepWindow(const std::vector<uint16_t>& waits)
        : m_waits(&waits),
          m_states(SIZE)
    {
        for (uint32_t step = 0; step < SIZE && step < waits.size(); step++)
        {
            m_states[step] = waits[step];
        }
    }

    /** \return the number of steps */
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_waits->size());
    }

    /** \return the first step that is not done, GetCount() if all are */
    uint32_t GetFirst() const
    {
        return m_first;
    }

    /** \param step a step that is not done \return for how much it waits, may be changed */
    uint16_t& At(uint32_t step)
    {
        while (step - m_first >= m_states.size())
        {
            Grow();
        }
        return m_states[step & (m_states.size() - 1)];
    }

    /** \param step a step \return whether it is done */
    bool IsDone(uint32_t step) const
    {
        return step < m_first ||
               (step - m_first < m_states.size() && m_states[step & (m_states.size() - 1)] == DONE);
    }

    /** \param step a step that is done now */
    void SetDone(uint32_t step)
    {
        At(step) = DONE;
        const auto size = static_cast<uint32_t>(m_states.size());
        while (m_first < GetCount() && m_states[m_first & (size - 1)] == DONE)
        {
            const uint32_t next = m_first + size;
            m_states[m_first & (size - 1)] = next < GetCount() ? (*m_waits)[next] : 0;
            m_first++;
        }
    }

    /** \return how many steps it holds */
    std::size_t GetSize() const
    {
        return m_states.size();
    }

  private:
    static constexpr uint32_t SIZE = 32; //!< of a new window, a power of two: a line of cache

    /** Doubles the window. */
    void Grow()
    {
        const auto size = static_cast<uint32_t>(m_states.size());
        boost::container::small_vector<uint16_t, SIZE> states(2 * size);
        for (uint32_t step = m_first; step < m_first + 2 * size && step < GetCount(); step++)
        {
            states[step & (2 * size - 1)] =
                step < m_first + size ? m_states[step & (size - 1)] : (*m_waits)[step];
        }
        m_states = std::move(states);
    }

    const std::vector<uint16_t>* m_waits;                    //!< at first, by step
    uint32_t m_first{0};                                     //!< first step that is not done
    boost::container::small_vector<uint16_t, SIZE> m_states; //!< by step, modulo the size
};

} // namespace ns3

#endif /* STEP_WINDOW_H */
