/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_MESSAGE_TRANSPORT_H
#define NVLINK_MESSAGE_TRANSPORT_H

#include "nvlink-device.h"

#include "ns3/message-transport.h"
#include "ns3/rank-teams.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup nvlink
 * \brief Carries messages between GPUs over NVLink, where there is a route, and those of teams
 * where NVSwitches copy and add up.
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

    /** \param teams filled by AddTeam(), shared with switches */
    void SetTeams(std::shared_ptr<RankTeams> teams);

    /** \param team number of a team \return its ranks, ascending */
    const std::vector<uint32_t>& GetTeam(uint32_t team) const
    {
        return m_teams->Get(team);
    }

    /** \param rank a rank \return its interface, nullptr if it has none */
    Ptr<NvlinkDevice> GetDevice(uint32_t rank) const;

    // From MessageTransport.
    uint32_t GetRankCount() const override;
    /**
     * \param ranks some ranks, ascending
     * \return whether there are several, each link of a rank leads to a switch that copies and adds
     * up, and the n-th links of all ranks have the same rate and lead to the same switch
     */
    bool CanOffload(const std::vector<uint32_t>& ranks) const override;
    uint32_t AddTeam(const std::vector<uint32_t>& ranks) override;
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

    /**
     * \param src sending rank
     * \param key a team's flow
     * \param flow what was sent
     * \return a line about what has not arrived, empty if all has
     */
    std::string Describe(uint32_t src, const NvlinkTeamKey& key, const NvlinkTeamFlow& flow) const;

    std::shared_ptr<const RouteTable> m_routes; //!< next ports
    std::vector<Ptr<NvlinkDevice>> m_devices;   //!< by rank
    std::shared_ptr<RankTeams> m_teams;         //!< for whom switches copy and add up
};

} // namespace ns3

#endif /* NVLINK_MESSAGE_TRANSPORT_H */
