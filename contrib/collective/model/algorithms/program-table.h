/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PROGRAM_TABLE_H
#define PROGRAM_TABLE_H

#include "ns3/plan-program.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief The programs of a plan, each made once, numbered in the order in which they are asked for.
 * \tparam Key all that a program depends on
 */
template <class Key>
class ProgramTable
{
  public:
    /**
     * \param key what the program depends on
     * \param make makes the program if there is none for the key
     * \return its number
     */
    template <class Make>
    uint32_t GetNumber(Key key, Make make)
    {
        const auto number = static_cast<uint32_t>(m_programs.size());
        const auto added = m_numbers.emplace(std::move(key), number);
        if (added.second)
        {
            m_programs.push_back(make());
        }
        return added.first->second;
    }

    /** \return all programs, by number; the table has none any more */
    std::vector<PlanProgram> Take()
    {
        m_numbers.clear();
        return std::exchange(m_programs, {});
    }

  private:
    std::map<Key, uint32_t> m_numbers;   //!< of the programs
    std::vector<PlanProgram> m_programs; //!< by number
};

} // namespace ns3

#endif /* PROGRAM_TABLE_H */
