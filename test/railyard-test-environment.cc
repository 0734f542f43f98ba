/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "picosecond-environment.h"

/**
 * \file
 * Sets the time resolution before the first test of this program.
 */
