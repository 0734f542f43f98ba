/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_TUNER_FILE_H
#define NCCL_TUNER_FILE_H

#include "ns3/collective-request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup collective \brief NCCL's names of an algorithm and a protocol, and channels. */
struct NcclChoice
{
    std::string algorithm; //!< Ring, Tree, NVLS, ...
    std::string protocol;  //!< LL, LL128, Simple
    uint32_t channels;     //!< how many, see NcclDivision; 0: as many as NCCL takes by itself
};

/**
 * \ingroup collective
 * \brief A table of choices in the form of the example tuner plugin that comes with NCCL
 * (ext-tuner/example): a line for each,
 *
 *     collective,minBytes,maxBytes,algorithm,protocol,channels,nodes,ranks[,pipeOps,regBuff]
 *
 * where -1 stands for any number of nodes and ranks, and for NCCL's own number of channels. Lines
 * that begin with # are comments; the first line that fits holds. PipeOps and regBuff are read and
 * have no effect (doc/formats/nccl-tuner.md).
 */
class NcclTunerFile
{
  public:
    /** \param path the file; a ConfigError names file and line of what is wrong */
    explicit NcclTunerFile(const std::string& path);

    /**
     * \param request a request
     * \return what the table says of it, none if nothing
     */
    std::optional<NcclChoice> Find(const CollectiveRequest& request) const;

  private:
    /** \brief A line. */
    struct Rule
    {
        CollectiveKind kind; //!< of collective
        uint64_t minBytes;   //!< least size
        uint64_t maxBytes;   //!< largest size
        int64_t nodes;       //!< servers, -1 for any
        int64_t ranks;       //!< ranks, -1 for any
        NcclChoice choice;   //!< what holds then
    };

    std::vector<Rule> m_rules; //!< in order
};

} // namespace ns3

#endif /* NCCL_TUNER_FILE_H */
