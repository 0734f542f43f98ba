/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIMAI_HEADER_H
#define SIMAI_HEADER_H

#include "ns3/simai-workload.h"
#include "ns3/text-scanner.h"

#include <cstdint>

namespace ns3
{

/** 1 PiB: no collective of a SimAI workload is larger. */
constexpr uint64_t SIMAI_MAX_BYTES = uint64_t(1) << 50;
/** No size, degree or row number of a SimAI workload is larger. */
constexpr uint64_t SIMAI_MAX_COUNT = uint64_t(1) << 24;

/**
 * \ingroup railyard
 * \param line first line of a SimAI workload; a ConfigError if it is wrong
 * \param [out] workload gets what it says
 */
void ReadSimaiHeader(const TextLine& line, SimaiWorkload& workload);

/**
 * \ingroup railyard
 * Checks the rows that the header names; a ConfigError for one that is not there.
 * \param header first line
 * \param workload workload, with its rows
 */
void CheckSimaiRowNumbers(const TextLine& header, const SimaiWorkload& workload);

} // namespace ns3

#endif /* SIMAI_HEADER_H */
