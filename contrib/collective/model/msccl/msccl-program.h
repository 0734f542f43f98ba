/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MSCCL_PROGRAM_H
#define MSCCL_PROGRAM_H

#include "ns3/collective-kind.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup collective \brief What a step of an MSCCL program does. */
enum class MscclStepType : uint8_t
{
    SEND,                     //!< s: sends chunks of the source
    RECEIVE,                  //!< r: puts arriving chunks into the destination
    RECEIVE_COPY_SEND,        //!< rcs: puts them there and sends them on
    RECEIVE_REDUCE_SEND,      //!< rrs: sends on the sum of source and arriving chunks
    RECEIVE_REDUCE_COPY,      //!< rrc: puts that sum into the destination
    RECEIVE_REDUCE_COPY_SEND, //!< rrcs: puts it there and sends it on
    COPY,                     //!< cpy: copies the source to the destination
    REDUCE,                   //!< re: adds the source to the destination
    NOP,                      //!< nop: only waits
};

/** \ingroup collective \param type a step \return whether it takes chunks from the connection */
bool Receives(MscclStepType type);

/** \ingroup collective \param type a step \return whether it gives chunks to the connection */
bool Sends(MscclStepType type);

/** \ingroup collective \param type a step \return whether it reads its source in this GPU */
bool ReadsSource(MscclStepType type);

/** \ingroup collective \param type a step \return whether it writes its destination in this GPU */
bool WritesDestination(MscclStepType type);

/** \ingroup collective \brief Memory of a GPU. */
enum class MscclBuffer : uint8_t
{
    INPUT,   //!< i
    OUTPUT,  //!< o
    SCRATCH, //!< s
};

/** \ingroup collective \brief Chunks of a GPU's memory, from one on. */
struct MscclPlace
{
    MscclBuffer buffer{MscclBuffer::INPUT}; //!< where
    uint32_t offset{0};                     //!< first chunk

    /** \param other a place \return whether they are the same */
    bool operator==(const MscclPlace& other) const
    {
        return buffer == other.buffer && offset == other.offset;
    }
};

/** \ingroup collective \brief A step of an MSCCL program. */
struct MscclStep
{
    static constexpr uint32_t NONE = UINT32_MAX; //!< no thread block

    MscclStepType type{MscclStepType::NOP}; //!< what it does
    MscclPlace source;                      //!< what it reads, see ReadsSource()
    MscclPlace destination;                 //!< what it writes, see WritesDestination()
    uint32_t count{0};                      //!< chunks
    uint32_t awaitedBlock{NONE};            //!< thread block of the GPU that it waits for, or NONE
    uint32_t awaitedStep{0};                //!< until that one has done this step
    bool isAwaited{false};                  //!< tells others when it is done
    uint64_t line{0};                       //!< of the file
};

/** \ingroup collective \brief A thread block: does its steps in order. */
struct MscclThreadBlock
{
    static constexpr uint32_t NONE = UINT32_MAX; //!< no peer, no connection

    uint32_t sendPeer{NONE};      //!< GPU that it sends to
    uint32_t receivePeer{NONE};   //!< GPU that it receives from
    uint32_t channel{0};          //!< on which channel
    uint32_t outgoing{NONE};      //!< number of the connection that it sends on
    uint32_t incoming{NONE};      //!< number of the connection that it receives on
    uint64_t line{0};             //!< of the file
    std::vector<MscclStep> steps; //!< in order
};

/** \ingroup collective \brief What a GPU does. */
struct MscclGpu
{
    uint32_t inputChunks{0};              //!< of its input
    uint32_t outputChunks{0};             //!< of its output
    uint32_t scratchChunks{0};            //!< of its scratch
    uint64_t line{0};                     //!< of the file, 0 if it has not been read
    std::vector<MscclThreadBlock> blocks; //!< by number
};

/** \ingroup collective \brief What arrives on it in the order in which it was sent. */
struct MscclConnection
{
    uint32_t src{0};     //!< sending GPU
    uint32_t dst{0};     //!< receiving GPU
    uint32_t channel{0}; //!< which of those between the two
};

/**
 * \ingroup collective
 * \brief An algorithm as MSCCL's XML files describe it, read and checked (MscclReader).
 */
struct MscclProgram
{
    std::string file;                                //!< where it was read
    uint64_t line{0};                                //!< of its element
    std::string name;                                //!< its name
    CollectiveKind kind{CollectiveKind::ALL_REDUCE}; //!< what it does
    uint32_t root{0};                                //!< of broadcast and reduce
    std::string protocol;                            //!< "LL", "LL128" or "Simple"
    uint32_t chunks{0};                              //!< parts of the operand, nchunksperloop
    uint32_t channels{0};                            //!< nchannels
    bool isInPlace{false};                           //!< right where input and output share memory
    bool isOutOfPlace{false};                        //!< right where they do not
    uint64_t minBytes{0};                            //!< least operand
    uint64_t maxBytes{0};                            //!< largest operand, 0 for any
    std::vector<MscclGpu> gpus;                      //!< by number
    std::vector<MscclConnection> connections;        //!< all, by source, destination and channel

    /** \return whether every GPU has, or ends with, a share of the operand of its own */
    bool HasShares() const
    {
        return kind == CollectiveKind::ALL_GATHER || kind == CollectiveKind::REDUCE_SCATTER ||
               kind == CollectiveKind::ALL_TO_ALL;
    }

    /** \return chunks of such a share */
    uint32_t GetShare() const
    {
        return chunks / static_cast<uint32_t>(gpus.size());
    }
};

} // namespace ns3

#endif /* MSCCL_PROGRAM_H */
