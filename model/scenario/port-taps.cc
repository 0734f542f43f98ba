/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-taps.h"

#include "ns3/simulator.h"

namespace ns3
{

/** All taps of one port. */
class PortTaps::Group : public FabricTap
{
  public:
    /** \param port the port, not tapped yet */
    explicit Group(FabricPort& port)
        : m_port(port)
    {
    }

    ~Group() override
    {
        m_port.Advance(Simulator::Now().GetTimeStep()); // what left is seen
        m_port.SetTap(nullptr);
    }

    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    /** \param tap sees the frames after those added before */
    void Add(std::unique_ptr<FabricTap> tap)
    {
        m_wantsEvents |= tap->WantsEvents();
        m_taps.push_back(std::move(tap));
        m_port.SetTap(this); // asks again what is wanted
    }

    bool WantsEvents() const override
    {
        return m_wantsEvents;
    }

    void FrameSent(const FabricPacket& packet, uint64_t when) override
    {
        for (const auto& tap : m_taps)
        {
            tap->FrameSent(packet, when);
        }
    }

    void FrameReceived(const FabricPacket& packet, uint64_t when) override
    {
        for (const auto& tap : m_taps)
        {
            tap->FrameReceived(packet, when);
        }
    }

    void QueueChanged(uint64_t when) override
    {
        for (const auto& tap : m_taps)
        {
            tap->QueueChanged(when);
        }
    }

    void PauseChanged(uint32_t priority, bool paused, uint64_t when) override
    {
        for (const auto& tap : m_taps)
        {
            tap->PauseChanged(priority, paused, when);
        }
    }

  private:
    FabricPort& m_port;                             //!< the port
    std::vector<std::unique_ptr<FabricTap>> m_taps; //!< in the order added
    bool m_wantsEvents{false};                      //!< some of them do
};

PortTaps::PortTaps() = default;
PortTaps::~PortTaps() = default;

void
PortTaps::Add(FabricPort& port, std::unique_ptr<FabricTap> tap)
{
    Group*& group = m_byPort[&port];
    if (!group)
    {
        m_groups.push_back(std::make_unique<Group>(port));
        group = m_groups.back().get();
    }
    group->Add(std::move(tap));
}

void
PortTaps::Clear()
{
    m_byPort.clear();
    m_groups.clear();
}

} // namespace ns3
