/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gtest-bridge.h"

/**
 * \file
 * The GoogleTest cases of the module roce-internet as a suite of ns-3's test runner.
 */

static ns3::GtestSuite g_roceInternetTests("roce-internet", "RoceInternet"); //!< registers itself
