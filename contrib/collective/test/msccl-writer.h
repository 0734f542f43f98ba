/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MSCCL_WRITER_H
#define MSCCL_WRITER_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup tests \brief A step of an MSCCL file, as its attributes. */
struct MscclTestStep
{
    std::string type;         //!< type
    std::string source{"i0"}; //!< srcbuf and srcoff
    std::string target{"i0"}; //!< dstbuf and dstoff
    int count{1};             //!< cnt
    int block{-1};            //!< depid
    int step{-1};             //!< deps
};

/** \ingroup tests \brief A thread block of an MSCCL file. */
struct MscclTestBlock
{
    int send{-1};                     //!< send
    int receive{-1};                  //!< recv
    int channel{0};                   //!< chan
    std::vector<MscclTestStep> steps; //!< in order
};

/**
 * \ingroup tests
 * \brief An MSCCL file, to be changed and written.
 */
struct MscclTestFile
{
    std::string coll{"allreduce"};                 //!< coll
    std::string proto{"Simple"};                   //!< proto
    int chunks{1};                                 //!< nchunksperloop
    int channels{1};                               //!< nchannels
    bool isInPlace{true};                          //!< inplace
    bool isOutOfPlace{false};                      //!< outofplace
    int scratch{0};                                //!< s_chunks of every GPU
    std::string more;                              //!< further attributes of algo
    std::vector<std::vector<MscclTestBlock>> gpus; //!< thread blocks by GPU

    /** \return the file; hasdep="1" for steps that others wait for */
    std::string Write() const;
};

/**
 * \ingroup tests
 * \param text a file
 * \param name its name
 * \return the path of one that holds it, in a temporary folder of this process
 */
std::string KeepMscclFile(const std::string& text, const std::string& name);

/**
 * \ingroup tests
 * \param ranks GPUs
 * \param rings rings that share the operand, each on its channel
 * \param fused whether steps receive and send at once
 * \return all-reduce on rings in place
 */
MscclTestFile MakeMscclRing(int ranks, int rings, bool fused);

/**
 * \ingroup tests
 * \param ranks GPUs
 * \return all-reduce in place: every GPU collects its part of all others in its scratch, adds it
 * up and sends it to all
 */
MscclTestFile MakeMscclAllPairs(int ranks);

/**
 * \ingroup tests
 * \param ranks GPUs
 * \return all-gather on a ring, out of place
 */
MscclTestFile MakeMscclGather(int ranks);

/**
 * \ingroup tests
 * \param ranks GPUs
 * \return reduce-scatter on a ring, out of place, which adds up in buffers (rrs)
 */
MscclTestFile MakeMscclScatter(int ranks);

/**
 * \ingroup tests
 * \param servers servers
 * \param local GPUs of each
 * \return all-to-all in two steps: to the GPU of the same place in the other server, which hands
 * it on in the server
 */
MscclTestFile MakeMscclTwoStep(int servers, int local);

/**
 * \ingroup tests
 * \param ranks GPUs
 * \param root the first of the chain
 * \return broadcast along a chain, in place
 */
MscclTestFile MakeMscclBroadcast(int ranks, int root);

/**
 * \ingroup tests
 * \param ranks GPUs
 * \return reduce along a chain to the last, out of place
 */
MscclTestFile MakeMscclReduce(int ranks);

} // namespace ns3

#endif /* MSCCL_WRITER_H */
