/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "source-folder.h"

// The build defines it for this file alone, so that all others compile to the same in every clone.
#ifndef RAILYARD_SOURCE_DIR
#error "RAILYARD_SOURCE_DIR must name the root of the repository"
#endif

namespace ns3
{

std::string
GetSourceFolder()
{
    return RAILYARD_SOURCE_DIR;
}

} // namespace ns3
