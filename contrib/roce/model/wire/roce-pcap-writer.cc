/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pcap-writer.h"

#include "roce-wire.h"
#include "wire-frame.h"

#include "ns3/boolean.h"
#include "ns3/config-error.h"

#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t LINK_TYPE_ETHERNET = 1; //!< LINKTYPE_ETHERNET of the pcap format

} // namespace

RocePcapWriter::RocePcapWriter(const std::string& path, const RocePcapOptions& options)
    : m_file(CreateObject<PcapFileWrapper>()),
      m_options(options)
{
    m_file->SetAttribute("NanosecMode", BooleanValue(true));
    m_file->Open(path, std::ios::out | std::ios::binary);
    if (m_file->Fail())
    {
        throw ConfigError(path, "", "pcap", "a file that can be written");
    }
    m_file->Init(LINK_TYPE_ETHERNET, m_options.snapBytes);
}

void
RocePcapWriter::Write(const FabricPacket& packet, Time when)
{
    const std::vector<uint8_t> bytes = MakeWireFrame(packet);
    m_file->Write(when, bytes.data(), bytes.size() - (m_options.withFcs ? 0 : RoceWire::FCS));
}

void
RocePcapWriter::Close()
{
    m_file->Close();
}

void
RocePcapWriter::FrameSent(const FabricPacket& packet, uint64_t when)
{
    if (m_options.sent)
    {
        Write(packet, Time(static_cast<int64_t>(when)));
    }
}

void
RocePcapWriter::FrameReceived(const FabricPacket& packet, uint64_t when)
{
    if (m_options.received)
    {
        Write(packet, Time(static_cast<int64_t>(when)));
    }
}

} // namespace ns3
