/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-summary.h"

// The build writes this header, which defines RAILYARD_REVISION, where it knows the revision.
#ifdef RAILYARD_REVISION_HEADER
#include RAILYARD_REVISION_HEADER
#endif

namespace ns3
{

std::string
GetRevision()
{
#ifdef RAILYARD_REVISION
    return RAILYARD_REVISION;
#else
    return "unknown";
#endif
}

} // namespace ns3
