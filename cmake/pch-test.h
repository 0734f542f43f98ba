/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Precompiled for the tests in the standalone build only.
 */
#include "pch-library.h"

#include <gtest/gtest.h>
