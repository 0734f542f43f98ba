/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MSCCL_CONNECTIONS_H
#define MSCCL_CONNECTIONS_H

#include "msccl-program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Finds the connections of an MSCCL program and checks that what is sent is received.
 *
 * A connection has one thread block at either end: two of a GPU that send to the same peer on the
 * same channel would mix what they send.
 */
class MscclConnections
{
  public:
    /** \param program a program that has been read; it must outlive the object */
    explicit MscclConnections(MscclProgram& program)
        : m_program(program)
    {
    }

    /** Fills in MscclProgram::connections and the thread blocks' numbers of them. */
    void Connect();

  private:
    /** Source, destination, channel. */
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;

    /** \brief The thread blocks at both ends. */
    struct Ends
    {
        MscclThreadBlock* sender{nullptr};   //!< null for none
        MscclThreadBlock* receiver{nullptr}; //!< null for none
    };

    /**
     * \param end the end of a connection, which gets the thread block
     * \param block the thread block
     * \param what "send" or "recv"
     * \param peer its peer
     */
    void SetEnd(MscclThreadBlock*& end,
                MscclThreadBlock& block,
                const std::string& what,
                uint32_t peer) const;

    /**
     * \param key a connection
     * \param ends its ends
     */
    void Match(const Key& key, const Ends& ends) const;

    /**
     * \param line of the file
     * \param value what was read
     * \param expected what was expected
     */
    [[noreturn]] void Fail(uint64_t line,
                           const std::string& value,
                           const std::string& expected) const;

    MscclProgram& m_program;    //!< the program
    std::map<Key, Ends> m_ends; //!< all connections that steps use
};

} // namespace ns3

#endif /* MSCCL_CONNECTIONS_H */
