/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MSCCL_ALGORITHM_H
#define MSCCL_ALGORITHM_H

#include "ns3/collective-algorithm.h"
#include "ns3/msccl-library.h"
#include "ns3/msccl-pipe.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Plays algorithms that were written for MSCCL: XML files of threadblocks and their steps
 * (doc/formats/msccl.md). Rank i of the group is GPU i of the file.
 *
 * A request takes the first file for its collective, number of ranks and size. Chunks travel in
 * the messages that MSCCL's kernel sends, over connections whose buffers hold as much as NCCL's
 * (MscclPipe): with Simple a quarter of BufferBytes at a time and four of them, with LL 32768 bytes
 * and LL128 576000 bytes of data and eight. A chunk that is larger is cut evenly; the kernel runs
 * the program for one piece of every chunk (with Simple two) after the other, so that pieces follow
 * each other through the GPUs. A step that sends more than a buffer holds while the receiver waits
 * for something else is a ConfigError: the kernel would hang.
 *
 * Departures: what MSCCL cuts at a fixed size is cut evenly. A slot of a buffer is free again when
 * its message is acknowledged, whether or not the receiver has taken it out.
 */
class MscclAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;
    std::string GetProtocolName(const CollectiveRequest& request) const override;

    /**
     * \param protocol "LL", "LL128" or "Simple"
     * \param bufferBytes NCCL_BUFFSIZE, the buffer of a connection with Simple
     * \return how chunks travel
     */
    static MscclPipe GetPipe(const std::string& protocol, uint64_t bufferBytes);

  private:
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /** \return the programs; a ConfigError if a file is wrong */
    const MscclLibrary& GetLibrary() const;

    std::string m_files;                                   //!< attribute Files
    uint64_t m_bufferBytes;                                //!< attribute BufferBytes
    mutable std::unique_ptr<const MscclLibrary> m_library; //!< read at the first request
    mutable std::string m_read;                            //!< the files that it was read from
};

} // namespace ns3

#endif /* MSCCL_ALGORITHM_H */
