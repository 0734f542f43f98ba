/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HPCC_CONFIG_READER_H
#define HPCC_CONFIG_READER_H

#include "hpcc-config.h"

#include <string>
#include <vector>

namespace ns3
{

class TextFile;

/**
 * \ingroup roce
 * \brief Reads a configuration file of the HPCC family.
 *
 * Lines of a key and its values, in any order; text from a word that starts with '#' or '{' to the
 * end of its line is a comment. HpccConfig::keys says what each of them sets, or why it changes
 * nothing; unknown ones are no error. Errors, with their line: a key twice, a missing or surplus
 * value, a value of the wrong kind, threshold maps that contradict their counts or one another.
 *
 * \param file the text
 * \param overruled full names of attributes that somebody else sets: keys that would set them are
 * listed, but neither read nor checked
 * \return what it says; a ConfigError if it is wrong
 */
HpccConfig ReadHpccConfig(const TextFile& file, const std::vector<std::string>& overruled = {});

/**
 * \ingroup roce
 * \param path the file
 * \param overruled as above
 * \return what it says; a ConfigError if it cannot be read or is wrong
 */
HpccConfig ReadHpccConfig(const std::string& path, const std::vector<std::string>& overruled = {});

} // namespace ns3

#endif /* HPCC_CONFIG_READER_H */
