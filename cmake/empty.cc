/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Empty on purpose: for targets that consist of an archive or of a precompiled header.
