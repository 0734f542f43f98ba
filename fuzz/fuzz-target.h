/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * What a target does with an input; each target defines it.
 * A parser may take the input or refuse it with a ConfigError. Any other exception, an abort, a
 * report of a sanitizer, or no end is a fault.
 * \param input some bytes
 */
void FuzzOne(const std::string& input);

/**
 * For parsers that open their file themselves.
 * \param input bytes to write
 * \param name name of the file
 * \return path of a file of this process, the same for every input; removed at the end
 */
std::string WriteFuzzFile(const std::string& input, const std::string& name);

} // namespace ns3

#endif /* FUZZ_TARGET_H */
