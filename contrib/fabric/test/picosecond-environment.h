/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PICOSECOND_ENVIRONMENT_H
#define PICOSECOND_ENVIRONMENT_H

#include "ns3/nstime.h"

#include <gtest/gtest.h>

namespace ns3
{

/** \ingroup tests Makes one picosecond the resolution of Time, as every simulation of ours does. */
inline void
UsePicoseconds()
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
}

/**
 * \ingroup tests
 * \brief Picoseconds for all tests of a program, before the first one: once some simulation has
 * run, ns-3 no longer converts the times that attributes hold.
 */
class PicosecondEnvironment : public testing::Environment
{
  public:
    void SetUp() override
    {
        UsePicoseconds();
    }
};

/** Registers itself, once in a program whose tests include this; GoogleTest owns it. */
[[maybe_unused]] inline const auto* g_picosecondEnvironment =
    testing::AddGlobalTestEnvironment(new PicosecondEnvironment);

} // namespace ns3

#endif /* PICOSECOND_ENVIRONMENT_H */
