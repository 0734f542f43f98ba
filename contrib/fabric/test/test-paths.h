/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TEST_PATHS_H
#define TEST_PATHS_H

#include "ns3/source-folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ns3
{

/**
 * \ingroup tests
 * \return the root folder of the repository
 */
inline std::string
RailyardDir()
{
    return GetSourceFolder();
}

/**
 * \ingroup tests
 * \return the folder of real files and specifications beside the repository (or where the
 * environment variable RAILYARD_SHARED says), without a slash at the end; empty if there is none:
 * tests that need it begin with RAILYARD_NEED_SHARED_FILES()
 */
inline std::string
SharedDir()
{
    const char* given = std::getenv("RAILYARD_SHARED");
    const std::filesystem::path path =
        given ? std::filesystem::path(given)
              : std::filesystem::path(GetSourceFolder()) / ".." / "shared";
    std::error_code ignored;
    return std::filesystem::is_directory(path / "data", ignored) ? path.lexically_normal().string()
                                                                 : std::string();
}

} // namespace ns3

/**
 * \ingroup tests
 * Skips the present test where the folder of real files is missing. A macro, and to stand in the
 * test itself: GTEST_SKIP() leaves no more than the function that it stands in.
 */
#define RAILYARD_NEED_SHARED_FILES()                                                               \
    if (ns3::SharedDir().empty())                                                                  \
    GTEST_SKIP() << "no folder of real files: set RAILYARD_SHARED to where it is"

#endif /* TEST_PATHS_H */
