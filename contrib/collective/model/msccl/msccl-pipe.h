/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MSCCL_PIPE_H
#define MSCCL_PIPE_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup collective
 * \brief How the kernel of MSCCL carries chunks over a connection: NCCL's buffers, by protocol.
 *
 * The kernel runs the whole program for a piece of every chunk, then for the next piece. A send or
 * a receive moves as many chunks at once as fill a piece, and the buffer of a connection holds
 * some.
 */
struct MscclPipe
{
    uint64_t sliceBytes{0};    //!< what travels as one message, of data
    uint32_t slicesPerLoop{1}; //!< of a chunk, that a run of the program moves
    uint32_t slots{1};         //!< messages that a buffer holds
    uint32_t operations{1};    //!< sends that a buffer holds

    /** \return data that a send moves, at most */
    uint64_t GetOperationBytes() const
    {
        return sliceBytes * slicesPerLoop;
    }
};

} // namespace ns3

#endif /* MSCCL_PIPE_H */
