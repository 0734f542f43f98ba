/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PCAP_WRITER_H
#define ROCE_PCAP_WRITER_H

#include "ns3/fabric-packet.h"
#include "ns3/fabric-port.h"
#include "ns3/nstime.h"
#include "ns3/pcap-file-wrapper.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** \ingroup roce \brief How a RocePcapWriter writes. */
struct RocePcapOptions
{
    uint32_t snapBytes{65535}; //!< bytes kept of each frame; 128 holds all headers
    bool withFcs{false};       //!< frames with check sequence; Wireshark expects them without
    bool sent{true};           //!< as a tap: write the frames that the port sends
    bool received{true};       //!< as a tap: write the frames that the port receives
};

/**
 * \ingroup roce
 * \brief Writes frames as they would be on a real link into a pcap file that Wireshark reads.
 *
 * Time stamps are in nanoseconds (the file's magic number says so), rounded down: of a frame
 * that a port sends, the departure of its first bit; of one it receives, the arrival of its last.
 */
class RocePcapWriter : public FabricTap
{
  public:
    /**
     * \param path the file, replaced if it exists; a ConfigError if it cannot be written
     * \param options how to write
     */
    explicit RocePcapWriter(const std::string& path, const RocePcapOptions& options = {});

    /**
     * \param packet a frame
     * \param when its time stamp
     */
    void Write(const FabricPacket& packet, Time when);

    /** Writes what is buffered and closes the file; done by the destructor too. */
    void Close();

    // From FabricTap.
    void FrameSent(const FabricPacket& packet, uint64_t when) override;
    void FrameReceived(const FabricPacket& packet, uint64_t when) override;

  private:
    Ptr<PcapFileWrapper> m_file; //!< the file
    RocePcapOptions m_options;   //!< how to write
};

} // namespace ns3

#endif /* ROCE_PCAP_WRITER_H */
