/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/msccl-library.h"
#include "ns3/msccl-reader.h"

/** Algorithms of MSCCL (XML), proven if they can be read. */
void
ns3::FuzzOne(const std::string& input)
{
    const MscclProgram program = MscclReader::Read(TextFile::FromString("algorithm.xml", input));
    MscclLibrary::Prove(program);
}
