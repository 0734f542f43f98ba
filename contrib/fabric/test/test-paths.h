/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TEST_PATHS_H
#define TEST_PATHS_H

#include <cstdlib>
#include <filesystem>
#include <string>

#ifndef RAILYARD_SOURCE_DIR
#error "RAILYARD_SOURCE_DIR must name the root of the repository"
#endif

namespace ns3
{

/**
 * \ingroup tests
 * \return the root folder of the repository
 */
inline std::string
RailyardDir()
{
    return RAILYARD_SOURCE_DIR;
}

/**
 * \ingroup tests
 * \return the folder of real files and specifications beside the repository (or where the
 * environment variable RAILYARD_SHARED says), without a slash at the end; empty if there is none:
 * tests that need it call GTEST_SKIP()
 */
inline std::string
SharedDir()
{
    const char* given = std::getenv("RAILYARD_SHARED");
    const std::filesystem::path path =
        given ? std::filesystem::path(given)
              : std::filesystem::path(RAILYARD_SOURCE_DIR) / ".." / "shared";
    std::error_code ignored;
    return std::filesystem::is_directory(path / "data", ignored) ? path.lexically_normal().string()
                                                                 : std::string();
}

} // namespace ns3

#endif /* TEST_PATHS_H */
