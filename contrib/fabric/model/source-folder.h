/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SOURCE_FOLDER_H
#define SOURCE_FOLDER_H

#include <string>

namespace ns3
{

/**
 * \ingroup fabric
 * \return the root of the repository that the libraries were built from, where the shipped data
 * lies (templates, kernel tables, workloads, flows); without a slash at the end
 */
std::string GetSourceFolder();

} // namespace ns3

#endif /* SOURCE_FOLDER_H */
