/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gtest-bridge.h"

/**
 * \file
 * The GoogleTest cases of the module fabric as a suite of ns-3's test runner.
 */

static ns3::GtestSuite g_fabricTests("fabric", "Fabric"); //!< registers itself
