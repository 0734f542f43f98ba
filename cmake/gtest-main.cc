/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scratch-directory.h"

#include <gtest/gtest.h>

/**
 * \file
 * The main() of every `<module>-gtest` program of the standalone build.
 */

int
main(int argc, char* argv[])
{
    testing::InitGoogleTest(&argc, argv);
    const ns3::ScratchDirectory scratch;
    return RUN_ALL_TESTS();
}
