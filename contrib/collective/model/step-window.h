/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STEP_WINDOW_H
#define STEP_WINDOW_H

#include "plan-program.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * \ingroup collective
 * \brief For how much each step of a PlanProgram still waits: of those from the first one that is
 * not done to the last one that was touched.
 *
 * Steps are done about in order, so that a line of cache stands for thousands of steps: of a
 * thousand ranks everything stays in the caches. In the worst case it holds all steps.
 */
class StepWindow
{
  public:
    /** A step is done. */
    static constexpr uint16_t DONE = UINT16_MAX;

    /** \param program whose steps they are; must outlive the window */
    explicit StepWindow(const PlanProgram& program)
        : m_program(&program)
    {
        const auto& waits = program.GetWaits();
        std::copy_n(waits.begin(), std::min<std::size_t>(SMALL, waits.size()), m_small.begin());
    }

    /** \return whose steps they are */
    const PlanProgram& GetProgram() const
    {
        return *m_program;
    }

    /** \return the number of steps */
    uint32_t GetCount() const
    {
        return m_program->GetStepCount();
    }

    /** \return the first step that is not done, GetCount() if all are */
    uint32_t GetFirst() const
    {
        return m_first;
    }

    /** \param step a step that is not done \return for how much it waits, may be changed */
    uint16_t& At(uint32_t step)
    {
        while (step - m_first > m_mask)
        {
            Grow();
        }
        return GetStates()[step & m_mask];
    }

    /** \param step a step \return whether it is done */
    bool IsDone(uint32_t step) const
    {
        const uint16_t* const states = m_large ? m_large.get() : m_small.data();
        return step < m_first || (step - m_first <= m_mask && states[step & m_mask] == DONE);
    }

    /** \param step a step that is done now */
    void SetDone(uint32_t step)
    {
        At(step) = DONE;
        uint16_t* const states = GetStates();
        const auto& waits = m_program->GetWaits();
        while (m_first < waits.size() && states[m_first & m_mask] == DONE)
        {
            const uint32_t next = m_first + GetSize();
            states[m_first & m_mask] = next < waits.size() ? waits[next] : 0;
            m_first++;
        }
    }

    /** \return how many steps it holds */
    uint32_t GetSize() const
    {
        return m_mask + 1;
    }

  private:
    static constexpr uint32_t SMALL = 16; //!< steps of a new window, a power of two

    /** \return states by step, modulo the size */
    uint16_t* GetStates()
    {
        return m_large ? m_large.get() : m_small.data();
    }

    /** Doubles the window. */
    void Grow()
    {
        const uint32_t size = GetSize();
        const uint16_t* const old = GetStates();
        const auto& waits = m_program->GetWaits();
        auto states = std::make_unique<uint16_t[]>(2 * size);
        for (uint32_t step = m_first; step < m_first + 2 * size && step < GetCount(); step++)
        {
            states[step & (2 * size - 1)] =
                step < m_first + size ? old[step & m_mask] : waits[step];
        }
        m_large = std::move(states);
        m_mask = 2 * size - 1;
    }

    const PlanProgram* m_program;           //!< whose steps they are
    uint32_t m_first{0};                    //!< first step that is not done
    uint32_t m_mask{SMALL - 1};             //!< size less one
    std::unique_ptr<uint16_t[]> m_large;    //!< states if m_small is too small
    std::array<uint16_t, SMALL> m_small{};  //!< states, with what is above less than a cache line
};

} // namespace ns3

#endif /* STEP_WINDOW_H */
