/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/fabric-packet.h"
#include "ns3/pfc-frame.h"
#include "ns3/roce-frame.h"
#include "ns3/wire-frame.h"

/** Bytes of Ethernet frames: RoCEv2 and PFC. */
void
ns3::FuzzOne(const std::string& input)
{
    const auto* bytes = reinterpret_cast<const uint8_t*>(input.data());
    RoceFrame frame;
    RoceFrame::Parse(bytes, input.size(), frame);
    PfcFrame pause;
    PfcFrame::Parse(bytes, input.size(), pause);
    FabricPacket packet;
    ReadWireFrame(bytes, input.size(), packet);
}
