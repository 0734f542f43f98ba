/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HPCC_CONFIG_H
#define HPCC_CONFIG_H

#include "red-ecn-marker.h"

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief A key of a configuration file, and what comes of it here. */
struct HpccKeyUse
{
    std::string key;    //!< the key
    std::string value;  //!< its value as it stands in the file
    std::string effect; //!< attribute or option that it sets, empty if none
    std::string reason; //!< why it changes nothing, empty if it does
    uint64_t line{0};   //!< its line, counted from 1
};

/** \ingroup roce \brief A constant of a congestion control. */
struct HpccConstant
{
    std::string key;           //!< its key
    std::string attribute;     //!< attribute that it sets where a congestion control has it
    Ptr<AttributeValue> value; //!< its value
};

/** \ingroup roce \brief A link that fails: key LINK_DOWN. */
struct HpccLinkDown
{
    Time when;     //!< time after the start of traffic at 2 s
    uint32_t a{0}; //!< node at one end
    uint32_t b{0}; //!< node at the other end
};

/**
 * \ingroup roce
 * \brief The configuration file of HPCC and its descendants (ConWeave, SimAI, ASTRA-sim's ns-3,
 * ns3-datacenter, ns3-rdma), as plain values.
 *
 * A member without a value stands for a key that the file does not have: what the simulator does
 * by itself then holds.
 */
struct HpccConfig
{
    std::string source; //!< the file

    // Packets and acknowledgements.
    std::optional<uint32_t> payloadBytes;     //!< PACKET_PAYLOAD_SIZE
    std::optional<uint32_t> chunkBytes;       //!< L2_CHUNK_SIZE
    std::optional<uint32_t> ackIntervalBytes; //!< L2_ACK_INTERVAL; 1 = every packet
    std::optional<bool> backToZero;           //!< L2_BACK_TO_ZERO
    std::optional<bool> ackHighPriority;      //!< ACK_HIGH_PRIO
    std::optional<bool> irn;                  //!< ENABLE_IRN: selective repeat, not go-back-N

    // Files, as named in the file.
    std::optional<std::string> topologyFile; //!< TOPOLOGY_FILE
    std::optional<std::string> flowFile;     //!< FLOW_FILE
    std::optional<std::string> fctFile;      //!< FCT_OUTPUT_FILE
    std::optional<std::string> pfcFile;      //!< PFC_OUTPUT_FILE
    std::optional<std::string> queueFile;    //!< QLEN_MON_FILE
    std::optional<Time> queueStart;          //!< QLEN_MON_START
    std::optional<Time> queueEnd;            //!< QLEN_MON_END
    std::optional<Time> stopTime;            //!< SIMULATOR_STOP_TIME, none if it is never reached

    // Congestion control.
    std::optional<uint32_t> ccMode;             //!< CC_MODE
    std::optional<bool> qcn;                    //!< ENABLE_QCN: marking and notification
    std::optional<Time> cnpInterval;            //!< CNP_INTERVAL
    std::vector<HpccConstant> constants;        //!< of congestion controls, by line

    // Switches and links.
    std::optional<uint64_t> bufferBytes;          //!< BUFFER_SIZE
    std::optional<bool> pfc;                      //!< ENABLE_PFC
    std::optional<bool> dynamicPfcThreshold;      //!< USE_DYNAMIC_PFC_THRESHOLD
    std::optional<uint32_t> lbMode;               //!< LB_MODE
    std::optional<bool> packetLevelEcmp;          //!< PACKET_LEVEL_ECMP
    std::optional<double> errorRate;              //!< ERROR_RATE_PER_LINK
    std::optional<HpccLinkDown> linkDown;         //!< LINK_DOWN, unless all its values are 0
    std::optional<uint64_t> randomSeed;           //!< RANDOM_SEED
    std::map<uint64_t, EcnThresholds> thresholds; //!< KMIN_MAP, KMAX_MAP, PMAX_MAP by rate, bit/s
    std::optional<EcnThresholds> flatThresholds;  //!< KMIN, KMAX, PMAX: for every rate

    std::vector<HpccKeyUse> keys; //!< all keys, by line
};

/**
 * \ingroup roce
 * \brief ECN thresholds of a port, also where the file has none for its rate.
 *
 * \param rate rate of the port
 * \param config a configuration
 * \param [out] scaled whether the file has none, so that they are EcnThresholds::ScaleByRate();
 * tell the user with DescribeScaledThresholds()
 * \return the thresholds
 */
EcnThresholds ThresholdsFor(DataRate rate, const HpccConfig& config, bool& scaled);

/**
 * \ingroup roce
 * \param rate rate of a port for which ThresholdsFor() said that it scaled
 * \param config the configuration
 * \return a line for the user that names rate, keys and thresholds
 */
std::string DescribeScaledThresholds(DataRate rate, const HpccConfig& config);

/**
 * \ingroup roce
 * \brief The congestion control that CC_MODE asks for, with the constants of the file.
 *
 * A constant that the congestion control has no attribute for is left out. Without CC_MODE it is
 * DCQCN.
 *
 * \param config a configuration
 * \return creates the objects; a ConfigError if the build has no such congestion control
 */
ObjectFactory MakeCongestionControlFactory(const HpccConfig& config);

/**
 * \ingroup roce
 * \brief The same for a congestion control that was chosen otherwise.
 * \param config a configuration
 * \param type a congestion control
 * \return creates its objects, with the constants of the file that it has attributes for
 */
ObjectFactory MakeCongestionControlFactory(const HpccConfig& config, TypeId type);

/**
 * \ingroup roce
 * \param config a configuration
 * \return the load balancer that LB_MODE or PACKET_LEVEL_ECMP asks for; a ConfigError if the build
 * has no such load balancer; none if the file does not say
 */
std::optional<TypeId> GetHpccLoadBalancer(const HpccConfig& config);

/**
 * \ingroup roce
 * \param config a configuration
 * \param type a congestion control
 * \return keys of the file's constants that it has no attribute for
 */
std::vector<std::string> GetUnusedConstants(const HpccConfig& config, TypeId type);

} // namespace ns3

#endif /* HPCC_CONFIG_H */
