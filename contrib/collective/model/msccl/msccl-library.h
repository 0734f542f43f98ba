/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MSCCL_LIBRARY_H
#define MSCCL_LIBRARY_H

#include "msccl-program.h"

#include "ns3/collective-request.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief MSCCL programs from files, each proven when it is read.
 */
class MscclLibrary
{
  public:
    /**
     * A ConfigError names the file, and the line if there is one, of what is wrong.
     * \param paths files, or folders whose *.xml are taken by name, with commas between them
     */
    explicit MscclLibrary(const std::string& paths);

    /** \return all programs, in order */
    const std::vector<MscclProgram>& GetPrograms() const
    {
        return m_programs;
    }

    /**
     * As MSCCL chooses: the first program for the collective, the number of ranks and the size,
     * whose chunks are whole elements.
     * \param request a request
     * \return its program, null if there is none
     */
    const MscclProgram* Find(const CollectiveRequest& request) const;

    /**
     * Runs a program for chunks of a byte, with room for all sends in the buffers, and proves that
     * it computes what its collective promises, in place and out of place as it says it can. A
     * proof that needs more than MAX_COST counters is left out.
     * \param program a program; a ConfigError says what is wrong with it
     */
    static void Prove(const MscclProgram& program);

    static constexpr uint64_t MAX_COST = 1ULL << 27; //!< ranks x ranks x chunks

  private:
    /** \param path a file \return its program, proven */
    static MscclProgram Load(const std::string& path);

    std::vector<MscclProgram> m_programs; //!< in order
};

} // namespace ns3

#endif /* MSCCL_LIBRARY_H */
