/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_SUMMARY_JSON_H
#define RESULT_SUMMARY_JSON_H

#include "ns3/result-summary.h"

#include <string>

namespace ns3
{

/** \ingroup fabric \brief Value of the key "format", by which a summary.json of ours is known. */
inline constexpr const char* RESULT_SUMMARY_FORMAT = "railyard-summary";

/**
 * \ingroup fabric
 * Writes a summary as the text of summary.json. Keys stand in a fixed order; what depends on the
 * day or the machine stands under "engine", the last one.
 * \param summary the summary; RunSummary::Check() is called
 * \return the text
 */
std::string MakeSummaryJson(const RunSummary& summary);

} // namespace ns3

#endif /* RESULT_SUMMARY_JSON_H */
