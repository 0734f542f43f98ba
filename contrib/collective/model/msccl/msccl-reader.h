/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MSCCL_READER_H
#define MSCCL_READER_H

#include "msccl-program.h"

#include "ns3/text-scanner.h"
#include "ns3/xml-element.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Reads an algorithm in the XML of MSCCL (doc/formats/msccl.md) and checks all that shows
 * without running it: attributes, bounds of buffers, and that what is sent is received.
 *
 * A ConfigError names the line and what is wrong. Whether the steps can go on to their end and
 * compute what they should is for MscclSchedule and the proof of the plan.
 */
class MscclReader
{
  public:
    /** \param file an XML file \return the program */
    static MscclProgram Read(const TextFile& file);

  private:
    /** \param program gets what is read */
    explicit MscclReader(MscclProgram& program)
        : m_program(program)
    {
    }

    /** \param algo the root */
    void ReadAlgo(const XmlElement& algo);

    /** \param element a GPU */
    void ReadGpu(const XmlElement& element);

    /** \param gpu number of a GPU \param element one of its thread blocks */
    void ReadBlock(uint32_t gpu, const XmlElement& element);

    /**
     * \param gpu a GPU
     * \param block one of its thread blocks, gets the step
     * \param element the step
     */
    void ReadStep(const MscclGpu& gpu, MscclThreadBlock& block, const XmlElement& element) const;

    /**
     * \param gpu a GPU
     * \param element a step
     * \param name "src" or "dst"
     * \param count chunks that it works on there
     * \return where
     */
    static MscclPlace ReadPlace(const MscclGpu& gpu,
                                const XmlElement& element,
                                const std::string& name,
                                uint32_t count);

    /** Finds the root of a broadcast or a reduce: the GPU that never receives, or never sends. */
    void FindRoot();

    MscclProgram& m_program; //!< what is read
};

} // namespace ns3

#endif /* MSCCL_READER_H */
