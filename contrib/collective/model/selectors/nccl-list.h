/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_LIST_H
#define NCCL_LIST_H

#include "ns3/collective-kind.h"
#include "ns3/text-value.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief What the environment variables NCCL_ALGO and NCCL_PROTO may hold, as NCCL reads it (2.24
 * and later, parseList() of its src/graph/tuning.cc).
 *
 * Lists with semicolons between them. The first may stand for all collectives; others begin with
 * the collective that they are for, and a colon. A list has names with commas between them, of
 * those that may be used, or behind a ^ of those that may not:
 *
 *     Ring,Tree                       these two
 *     ^NVLS;allreduce:Tree            Tree for all-reduce, all but NVLS for others
 *
 * Case does not matter, and empty names count for nothing. Collectives without a list may use all.
 * So may those that NCCL sends directly: these variables are not for them.
 */
class NcclList
{
  public:
    /** Allows all. */
    NcclList() = default;

    /**
     * \param text the value of a variable; a ConfigError if a name is unknown
     * \param known all names
     */
    NcclList(const TextValue& text, const std::vector<std::string>& known);

    /**
     * \param kind a kind of collective
     * \param name one of the names
     * \return whether it may be used
     */
    bool Allows(CollectiveKind kind, const std::string& name) const;

    /**
     * \param name one of the names
     * \return whether the list for all collectives says that it may not be used
     */
    bool Excludes(const std::string& name) const;

  private:
    /** \brief A list. */
    struct Names
    {
        bool excludes{false};        //!< these may not be used
        std::set<std::string> names; //!< as NCCL writes them
    };

    /**
     * \param text the value of the variable
     * \param list a list in it, without the collective
     * \param known all names
     * \return the list
     */
    static Names Read(const TextValue& text,
                      std::string_view list,
                      const std::vector<std::string>& known);

    std::map<CollectiveKind, Names> m_byKind; //!< lists that are for one collective
    Names m_all{true, {}};                    //!< for all others
};

} // namespace ns3

#endif /* NCCL_LIST_H */
