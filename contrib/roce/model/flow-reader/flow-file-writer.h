/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_FILE_WRITER_H
#define FLOW_FILE_WRITER_H

#include "flow-file.h"

#include <iosfwd>
#include <string>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Writes flows as a flow file in HPCC's form; ReadFlowFile() finds the same flows in it, to
 * the tick. Stop times are not written.
 * \param out gets the text
 * \param flows by start time
 */
void WriteFlowFile(std::ostream& out, const FlowFile& flows);

/**
 * \param path the file, replaced if there is one; a ConfigError if it cannot be written
 * \param flows by start time
 */
void WriteFlowFile(const std::string& path, const FlowFile& flows);

/** \param time 0 or more \return it in seconds, with all digits that it has */
std::string FormatDecimalSeconds(Time time);

} // namespace ns3

#endif /* FLOW_FILE_WRITER_H */
