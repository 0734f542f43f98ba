/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Empty on purpose: the library that this file belongs to consists of the whole GoogleTest archive.
