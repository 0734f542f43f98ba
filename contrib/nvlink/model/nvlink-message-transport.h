/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_MESSAGE_TRANSPORT_H
#define NVLINK_MESSAGE_TRANSPORT_H

#include "nvlink-device.h"

#include "ns3/message-transport.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup nvlink
 * \brief Carries messages between GPUs over NVLink, where there is a route.
 */
class NvlinkMessageTransport : public MessageTransport
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    NvlinkMessageTransport();
    ~NvlinkMessageTransport() override;

    /**
     * \param routes next ports, shared with the devices
     * \param devices the interface of every GPU by rank, nullptr where it has no NVLink
     */
    void SetDevices(std::shared_ptr<const RouteTable> routes,
                    const std::vector<Ptr<NvlinkDevice>>& devices);

    /**
     * \param src a rank
     * \param dst a rank
     * \return whether messages can go from one to the other: through a switch or a direct link,
     * since GPUs do not forward; false for a rank to itself
     */
    bool CanReach(uint32_t src, uint32_t dst) const;

    /** \param rank a rank \return its interface, nullptr if it has none */
    Ptr<NvlinkDevice> GetDevice(uint32_t rank) const;

    // From MessageTransport.
    uint32_t GetRankCount() const override;
    /** Aborts, naming the pair, if CanReach() is false. \param message the message */
    void Send(const Message& message) override;
    std::vector<std::string> DescribePending() const override;

  protected:
    void DoDispose() override;

  private:
    /**
     * Describes one message under way.
     * \param src sending rank
     * \param flow its flow
     * \param received the same flow at the receiver, or nullptr
     * \param sequence number of the message
     * \return one line
     */
    static std::string Describe(uint32_t src,
                                const NvlinkSendFlow& flow,
                                const NvlinkReceiveFlow* received,
                                uint32_t sequence);

    std::shared_ptr<const RouteTable> m_routes; //!< next ports
    std::vector<Ptr<NvlinkDevice>> m_devices;   //!< by rank
};

} // namespace ns3

#endif /* NVLINK_MESSAGE_TRANSPORT_H */
