/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TRAFFIC_CLASS_CHECK_H
#define TRAFFIC_CLASS_CHECK_H

#include "ns3/roce-nic-device.h"
#include "ns3/roce-switch-device.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief What switches make of the traffic classes that NICs send in.
 *
 * A NIC gives the frames of a class a DSCP, a switch gives that DSCP a class (DscpMap). RDMA needs
 * both to agree: a class that the switch does not protect loses packets, and PAUSE frames for
 * another class than the NIC's do not stop the NIC, so that they are lost all the same. Switches
 * without any lossless class are left out: nobody expects them to keep packets.
 */
class TrafficClassCheck
{
  public:
    /**
     * \param nics each once
     * \param switches some may be null
     */
    TrafficClassCheck(const std::vector<Ptr<RoceNicDevice>>& nics,
                      const std::vector<Ptr<RoceSwitchDevice>>& switches);

    /**
     * \return a line for every class in which queue pairs send, or that NICs without queue pairs
     * have by themselves, and every class that switches give its frames, if packets are lost
     */
    std::vector<std::string> GetWarnings() const;

  private:
    /** The frames of a class, as a switch sees them. */
    struct Use
    {
        uint32_t priority;       //!< class at the NIC
        uint32_t dscp;           //!< of its frames
        uint32_t switchPriority; //!< class at the switch
        bool isLossless;         //!< PFC protects it there

        /** \param o another one \return whether this one comes first */
        bool operator<(const Use& o) const;
    };

    /** \param use the frames of a class \param where switches \return what to say of it */
    static std::string Describe(const Use& use, const std::vector<std::string>& where);
    /** Finds the classes that NICs send in. \param nics each once */
    void FindClasses(const std::vector<Ptr<RoceNicDevice>>& nics);
    /** \param device a switch; finds what it makes of the classes */
    void AddSwitch(const RoceSwitchDevice& device);

    std::map<uint32_t, uint32_t> m_dscps;             //!< by class that NICs send in
    std::map<Use, std::vector<std::string>> m_unsafe; //!< names of the switches that lose packets
};

} // namespace ns3

#endif /* TRAFFIC_CLASS_CHECK_H */
