/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ATTRIBUTE_RELATIONS_H
#define ATTRIBUTE_RELATIONS_H

namespace ns3
{

/**
 * \ingroup railyard
 * Throws a ConfigError where the defaults of two attributes, each allowed by itself, do not go
 * together, or where a latency is so long that simulated time cannot hold a run. What depends on
 * the links too is checked by the devices.
 */
void RequireRelatedAttributes();

} // namespace ns3

#endif /* ATTRIBUTE_RELATIONS_H */
