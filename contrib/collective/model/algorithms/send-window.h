/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SEND_WINDOW_H
#define SEND_WINDOW_H

#include "ns3/collective-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief While a program is written: limits how many sends are under way, as the steps of NCCL's
 * connection buffers do. A send waits for the acknowledgement of the one that many before it.
 */
class SendWindow
{
  public:
    /** \param limit sends that may be under way, at least 1 */
    explicit SendWindow(uint32_t limit)
        : m_limit(limit)
    {
    }

    /** \return the step that the next send must wait for, PlanProgram::NONE if none */
    uint32_t GetBlocker() const
    {
        return m_sent.size() < m_limit ? PlanProgram::NONE : m_sent[m_sent.size() - m_limit];
    }

    /** \param step the next send */
    void Add(uint32_t step)
    {
        m_sent.push_back(step);
    }

  private:
    uint32_t m_limit;             //!< sends that may be under way
    std::vector<uint32_t> m_sent; //!< all sends
};

} // namespace ns3

#endif /* SEND_WINDOW_H */
