/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NETWORK_MESSAGE_TRANSPORT_H
#define NETWORK_MESSAGE_TRANSPORT_H

#include "message-transport.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A MessageTransport over all fabrics of a cluster, which can say where its messages are.
 */
class NetworkMessageTransport : public MessageTransport
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \param observer hears of every message that was acknowledged, before its sender does */
    void SetSentObserver(std::function<void(const Message&)> observer)
    {
        m_sentObserver = std::move(observer);
    }

    /** \param src a rank \param dst another one \return whether NVLink joins them */
    virtual bool UsesNvlink(uint32_t src, uint32_t dst) const = 0;

    /** \param src a rank \param dst another one \return whether messages can go between them */
    virtual bool CanReach(uint32_t src, uint32_t dst) const = 0;

    /**
     * \param src sending rank
     * \param dst receiving rank
     * \return the rank whose NIC sends what NVLink does not carry to the receiver: the sender, or
     * one that it hands its messages over NVLink (PXN)
     */
    virtual uint32_t GetRelay(uint32_t src, uint32_t dst) const;

    /**
     * \param src sending rank
     * \param dst receiving rank
     * \param channel channel of the messages
     * \return payload that arrived, messages that are not complete included, bytes
     */
    virtual uint64_t GetArrivedBytes(uint32_t src, uint32_t dst, uint32_t channel) const = 0;

    /** \return one line for every connection that gave up */
    virtual std::vector<std::string> GetFailures() const;

  protected:
    /** Messages of a kind that DescribePending() names. */
    static constexpr std::size_t MAX_NAMED = 16;

    /**
     * \param messages a line for each message of a kind, also of messages that are alike
     * \param kind their kind, such as "over NVLink"
     * \param lines gets the first of those that it has not had before, and how many there are more
     */
    static void AddMessages(const std::vector<std::string>& messages,
                            const std::string& kind,
                            std::vector<std::string>& lines);

    /** \param message tells observer and sender that it was acknowledged */
    void NotifySentObserved(const Message& message) const
    {
        if (m_sentObserver)
        {
            m_sentObserver(message);
        }
        NotifySent(message);
    }

  private:
    std::function<void(const Message&)> m_sentObserver; //!< hears of acknowledgements, or empty
};

} // namespace ns3

#endif /* NETWORK_MESSAGE_TRANSPORT_H */
