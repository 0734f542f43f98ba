/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DSCP_MAP_H
#define DSCP_MAP_H

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Which traffic class a device gives to frames by their differentiated services code point,
 * and which code point it gives to frames of a class.
 *
 * Without a text class = DSCP / 8, the default of NVIDIA's NICs and switches that trust DSCP
 * (mlnx_qos, dscp2prio): so 26, the usual code point of RoCE data, has class 3, and 48, that of
 * CNPs (firmware: CNP_DSCP), class 6.
 *
 * The way back: 26 for class 3, otherwise 8 times the class (the class selectors CS0 to CS7 of RFC
 * 2474), where the map gives that code point to that class, and the first one that has the class
 * where it does not.
 */
class DscpMap
{
  public:
    static constexpr uint32_t CODE_POINTS = 64;   //!< values of a DSCP
    static constexpr uint32_t CLASSES = 8;        //!< traffic classes
    static constexpr uint8_t NONE = CODE_POINTS;  //!< no DSCP has the class
    static constexpr uint8_t ROCE_DATA_DSCP = 26; //!< usual DSCP of RoCE data

    /** The map without a text. */
    DscpMap();

    /**
     * \param text "DSCP:class" or "first-last:class", with commas between them, such as
     * "8-15:3,46:5"; what it does not name is as without a text
     * \param attribute full name of the attribute that holds the text, for a ConfigError
     * \param device name of the device, for a ConfigError
     */
    DscpMap(const std::string& text, const std::string& attribute, const std::string& device);

    /** \param dscp differentiated services code point, 0 to 63 \return its traffic class */
    uint32_t GetClass(uint32_t dscp) const
    {
        return m_class[dscp];
    }

    /** \param priority traffic class \return DSCP of its frames, NONE if the class has none */
    uint8_t GetDscp(uint32_t priority) const
    {
        return m_dscp[priority];
    }

  private:
    /** Computes the way back. */
    void Invert();

    std::array<uint8_t, CODE_POINTS> m_class{}; //!< by DSCP
    std::array<uint8_t, CLASSES> m_dscp{};      //!< by class
};

} // namespace ns3

#endif /* DSCP_MAP_H */
