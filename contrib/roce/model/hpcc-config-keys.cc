/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-config-keys.h"

#include "flow-reader/decimal-time.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

using Draft = HpccConfigDraft;   //!< short in this file
using Values = HpccConfigValues; //!< short in this file

constexpr uint64_t MEBIBYTE = 1048576; //!< bytes in the unit of BUFFER_SIZE
constexpr uint32_t MAX_32 = std::numeric_limits<uint32_t>::max(); //!< largest id or size
constexpr uint64_t MAX_64 = std::numeric_limits<uint64_t>::max(); //!< largest counter

/** Stores a flag. \tparam Member where */
template <auto Member>
void
SetFlag(Draft& draft, const Values& values)
{
    draft.config.*Member = values.GetOnly().GetBool(values.GetKey());
}

/** Stores a word. \tparam Member where */
template <auto Member>
void
SetText(Draft& draft, const Values& values)
{
    draft.config.*Member = std::string(values.GetOnly().GetText());
}

/** Stores an integer below 2^32. \tparam Member where */
template <auto Member>
void
SetUint32(Draft& draft, const Values& values)
{
    draft.config.*Member =
        static_cast<uint32_t>(values.GetOnly().GetUint(values.GetKey(), 0, MAX_32));
}

/** Stores an integer above 0. \tparam Member where */
template <auto Member>
void
SetPositive(Draft& draft, const Values& values)
{
    draft.config.*Member =
        static_cast<uint32_t>(values.GetOnly().GetUint(values.GetKey(), 1, MAX_32));
}

/** Stores a number from 0 on, below 1. \tparam Member where */
template <auto Member>
void
SetLossRate(Draft& draft, const Values& values)
{
    const double rate = values.GetOnly().GetDouble(values.GetKey(), 0.0, 1.0);
    if (rate == 1.0)
    {
        values.GetOnly().Fail(values.GetKey() + " below 1: nothing would ever arrive");
    }
    draft.config.*Member = rate;
}

/** Stores the number of a stream of random numbers. \tparam Member where */
template <auto Member>
void
SetSeed(Draft& draft, const Values& values)
{
    draft.config.*Member = values.GetOnly().GetUint(values.GetKey(), 0, MAX_32);
}

/** Stores a time in microseconds. \tparam Member where */
template <auto Member>
void
SetMicroseconds(Draft& draft, const Values& values)
{
    draft.config.*Member = ReadDecimalTime(values.GetOnly(), values.GetKey() + ", us", Time::US);
}

/** \param values of a key \return a time, microseconds in the file */
Ptr<AttributeValue>
ReadMicroseconds(const Values& values)
{
    return Create<TimeValue>(
        ReadDecimalTime(values.GetOnly(), values.GetKey() + ", us", Time::US));
}

/** \param values of a key \return a period, microseconds in the file, at least a nanosecond */
Ptr<AttributeValue>
ReadTimer(const Values& values)
{
    const auto timer = ReadMicroseconds(values);
    if (DynamicCast<TimeValue>(timer)->Get() < std::max(Time(1), NanoSeconds(1)))
    {
        values.Get(0).Fail(values.GetKey() + ", us, at least 0.001");
    }
    return timer;
}

/** \param values of a key \return an integer of at least Min, at most Max */
template <uint64_t Min, uint64_t Max>
Ptr<AttributeValue>
ReadInteger(const Values& values)
{
    return Create<UintegerValue>(values.GetOnly().GetUint(values.GetKey(), Min, Max));
}

/** \param values of a key \return a number from 0 to 1 */
Ptr<AttributeValue>
ReadFraction(const Values& values)
{
    return Create<DoubleValue>(values.GetOnly().GetDouble(values.GetKey(), 0.0, 1.0));
}

/** \param values of a key \return a bit rate */
Ptr<AttributeValue>
ReadRate(const Values& values)
{
    return Create<DataRateValue>(values.GetOnly().GetDataRate(values.GetKey()));
}

/** Stores a time in nanoseconds. \tparam Member where */
template <auto Member>
void
SetNanoseconds(Draft& draft, const Values& values)
{
    draft.config.*Member = ReadDecimalTime(values.GetOnly(), values.GetKey() + ", ns", Time::NS);
}

/** Stores a threshold. \tparam Member where */
template <auto Member>
void
SetFlat(Draft& draft, const Values& values)
{
    draft.*Member = values.GetOnly().GetUint(values.GetKey(), 0, MAX_32);
}

/** Stores PMAX. */
void
SetFlatPmax(Draft& draft, const Values& values)
{
    draft.flatPmax = values.GetOnly().GetDouble(values.GetKey(), 0.0, 1.0);
}

/** Stores BUFFER_SIZE. */
void
SetBuffer(Draft& draft, const Values& values)
{
    draft.config.bufferBytes = values.GetOnly().GetUint(values.GetKey(), 1, MAX_32) * MEBIBYTE;
}

/** Stores SIMULATOR_STOP_TIME. */
void
SetStopTime(Draft& draft, const Values& values)
{
    const TextValue value = values.GetOnly();
    Time time;
    const DecimalTimeStatus status = ParseDecimalTime(value.GetText(), Time::S, time);
    if (status == DecimalTimeStatus::NOT_A_TIME)
    {
        value.Fail(values.GetKey() + ", s (decimal number, 0 or more)");
    }
    if (status == DecimalTimeStatus::OK)
    {
        draft.config.stopTime = time; // beyond the simulator's range it is never reached
    }
}

/** Stores LINK_DOWN. */
void
SetLinkDown(Draft& draft, const Values& values)
{
    values.RequireCount(3);
    HpccLinkDown linkDown;
    linkDown.when = ReadDecimalTime(values.Get(0), values.GetKey() + ", us", Time::US);
    linkDown.a = values.Get(1).GetUint("node", 0, MAX_32);
    linkDown.b = values.Get(2).GetUint("node", 0, MAX_32);
    if (linkDown.a != linkDown.b)
    {
        draft.config.linkDown = linkDown;
    }
    else if (linkDown.a != 0 || !linkDown.when.IsZero())
    {
        values.Get(2).Fail("another node than the one at the first end, or 0 0 0 for no failure");
    }
}

/**
 * Stores a map from rates to values.
 * \tparam Map where
 * \tparam IsPmax whether the values are probabilities, not KB
 */
template <Draft::RateMap Draft::*Map, bool IsPmax>
void
SetRateMap(Draft& draft, const Values& values)
{
    Draft::RateMap& result = draft.*Map;
    result.line = values.GetLine().GetNumber();
    if (values.GetCount() == 0)
    {
        values.RequireCount(1);
    }
    const uint64_t count = values.Get(0).GetUint("number of rates", 0, MAX_32);
    values.RequireCount(1 + 2 * count);
    for (std::size_t i = 1; i < values.GetCount(); i += 2)
    {
        const uint64_t rate = values.Get(i).GetDataRate("link rate").GetBitRate();
        const TextValue value = values.Get(i + 1);
        const double number = IsPmax ? value.GetDouble("marking probability", 0.0, 1.0)
                                     : value.GetUint("threshold, KB", 0, MAX_32);
        if (!result.map.emplace(rate, number).second)
        {
            values.Get(i).Fail(values.GetKey() + " with each rate once");
        }
    }
}

/** \param values of a key \return a flag */
Ptr<AttributeValue>
ReadFlag(const Values& values)
{
    return Create<BooleanValue>(values.GetOnly().GetBool(values.GetKey()));
}

constexpr const char* NO_WINDOW = "a window is that of the congestion control, where it has one";
constexpr const char* GO_BACK_N = "losses are repaired from the packet lost on, see ENABLE_IRN";
constexpr const char* FROM_FLOW_FILE = "flows come from the flow file";
constexpr const char* PACKET_TRACE = "frames go to pcap files, see --pcap";
constexpr const char* SERIES = "time series go to results.db, see --series and --seriesInterval";
constexpr const char* COUNTED = "CNPs are counted in summary.json, out-of-order packets are not";
constexpr const char* AS_IN_PAPER = "HPCC is the paper's: a reference window for each round trip, "
                                    "reactions to every acknowledgement";
constexpr const char* FULL_TELEMETRY = "in-band telemetry has full resolution";
constexpr const char* NO_PINT = "PINT is not offered";
constexpr const char* NO_CONWEAVE = "ConWeave's load balancer is not offered";
constexpr const char* CONSTANT = "attribute of the congestion control: ";

using C = HpccConfig; //!< short in the table

/**
 * The keys of the family. A star at one end of a key stands for anything; the first row that fits
 * counts.
 */
constexpr HpccConfigKey KNOWN_KEYS[] = {
    // Key, unit, what it sets here, or why it changes nothing; how it is stored.
    {"PACKET_PAYLOAD_SIZE", "bytes", "RoceNicDevice::MtuBytes", "", SetPositive<&C::payloadBytes>},
    {"L2_ACK_INTERVAL", "bytes", "RoceNicDevice::AckInterval", "",
     SetUint32<&C::ackIntervalBytes>},
    {"L2_CHUNK_SIZE", "bytes", "", GO_BACK_N, SetUint32<&C::chunkBytes>},
    {"L2_BACK_TO_ZERO", "flag", "", GO_BACK_N, SetFlag<&C::backToZero>},
    {"L2_WAIT_FOR_ACK", "flag", "", GO_BACK_N},
    {"ENABLE_IRN", "flag", "RoceNicDevice::LossRecovery", "", SetFlag<&C::irn>},
    {"ACK_HIGH_PRIO", "flag", "", "acknowledgements travel in the class of data",
     SetFlag<&C::ackHighPriority>},
    {"TOPOLOGY_FILE", "path", "--topology", "", SetText<&C::topologyFile>},
    {"FLOW_FILE", "path", "--flows", "", SetText<&C::flowFile>},
    {"FLOW_INPUT_FILE", "path", "", "a copy of the flows that ran: table flows of results.db"},
    {"FCT_OUTPUT_FILE", "path", "a file in the result folder", "", SetText<&C::fctFile>},
    {"PFC_OUTPUT_FILE", "path", "a file in the result folder", "", SetText<&C::pfcFile>},
    {"QLEN_MON_FILE", "path", "a file in the result folder", "", SetText<&C::queueFile>},
    {"QLEN_MON_START", "ns", "begin of QLEN_MON_FILE", "", SetNanoseconds<&C::queueStart>},
    {"QLEN_MON_END", "ns", "end of QLEN_MON_FILE", "", SetNanoseconds<&C::queueEnd>},
    {"SIMULATOR_STOP_TIME", "s", "--stop", "", SetStopTime},
    {"CC_MODE", "number", "RoceNicDevice::CongestionControl", "", SetUint32<&C::ccMode>},
    {"ENABLE_QCN", "flag", "RoceSwitchDevice::Ecn", "", SetFlag<&C::qcn>},
    {"CNP_INTERVAL", "us", "RoceNicDevice::CnpInterval", "", SetMicroseconds<&C::cnpInterval>},
    {"ALPHA_RESUME_INTERVAL", "us", CONSTANT, "", nullptr, ReadTimer, "AlphaTimer"},
    {"RATE_DECREASE_INTERVAL", "us", CONSTANT, "", nullptr, ReadMicroseconds,
     "MinimumDecreaseInterval"},
    {"RP_TIMER", "us", CONSTANT, "", nullptr, ReadTimer, "IncreaseTimer"},
    {"BYTE_COUNTER", "bytes", CONSTANT, "", nullptr, ReadInteger<0, MAX_64>, "ByteCounter"},
    {"EWMA_GAIN", "ratio", CONSTANT, "", nullptr, ReadFraction, "AlphaGain"},
    {"DCTCP_GAIN", "ratio", CONSTANT, "", nullptr, ReadFraction, "AlphaGain"},
    {"FAST_RECOVERY_TIMES", "count", CONSTANT, "", nullptr, ReadInteger<1, MAX_32>,
     "FastRecoveryStages"},
    {"CLAMP_TARGET_RATE", "flag", CONSTANT, "", nullptr, ReadFlag, "ClampTargetRate"},
    {"RATE_AI", "rate", CONSTANT, "", nullptr, ReadRate, "AdditiveIncrease"},
    {"RATE_HAI", "rate", CONSTANT, "", nullptr, ReadRate, "HyperIncrease"},
    {"MIN_RATE", "rate", CONSTANT, "", nullptr, ReadRate, "MinRate"},
    {"U_TARGET", "ratio", CONSTANT, "", nullptr, ReadFraction, "TargetUtilization"},
    {"MI_THRESH", "count", CONSTANT, "", nullptr, ReadInteger<0, MAX_32>, "MaxStage"},
    {"DCTCP_RATE_AI", "rate", "", "DCTCP grows by packets, see attribute IncreasePackets"},
    {"CLAMP_TARGET_RATE_AFTER_TIMER", "flag", "",
     "the first cut after an increase sets the target rate, whatever made the increase"},
    {"BUFFER_SIZE", "MiB", "RoceSwitchDevice::BufferBytes", "", SetBuffer},
    {"ENABLE_PFC", "flag", "RoceSwitchDevice::Pfc", "", SetFlag<&C::pfc>},
    {"USE_DYNAMIC_PFC_THRESHOLD", "flag", "", "thresholds are always dynamic",
     SetFlag<&C::dynamicPfcThreshold>},
    {"ERROR_RATE_PER_LINK", "ratio", "loss rate of links without one of their own", "",
     SetLossRate<&C::errorRate>},
    {"LINK_DOWN", "us node node", "a link event", "", SetLinkDown},
    {"RANDOM_SEED", "number", "--seed", "", SetSeed<&C::randomSeed>},
    {"KMIN_MAP", "bit/s KB", "RoceSwitchDevice::SetEcnThresholds()", "",
     SetRateMap<&Draft::kmin, false>},
    {"KMAX_MAP", "bit/s KB", "RoceSwitchDevice::SetEcnThresholds()", "",
     SetRateMap<&Draft::kmax, false>},
    {"PMAX_MAP", "bit/s ratio", "RoceSwitchDevice::SetEcnThresholds()", "",
     SetRateMap<&Draft::pmax, true>},
    {"KMIN", "packets", "RoceSwitchDevice::SetEcnThresholds()", "", SetFlat<&Draft::flatKmin>},
    {"KMAX", "packets", "RoceSwitchDevice::SetEcnThresholds()", "", SetFlat<&Draft::flatKmax>},
    {"PMAX", "ratio", "RoceSwitchDevice::SetEcnThresholds()", "", SetFlatPmax},
    {"LB_MODE", "number", "RoceSwitchDevice::LoadBalancer", "", SetUint32<&C::lbMode>},
    {"PACKET_LEVEL_ECMP", "flag", "RoceSwitchDevice::LoadBalancer", "",
     SetFlag<&C::packetLevelEcmp>},
    {"FLOW_LEVEL_ECMP", "flag", "", "ECMP is by flow unless PACKET_LEVEL_ECMP is 1"},
    {"NP_SAMPLING_INTERVAL", "us", "", "every marked packet is seen"},
    {"HAS_WIN", "flag", "", NO_WINDOW},
    {"GLOBAL_T", "flag", "", NO_WINDOW},
    {"VAR_WIN", "flag", "", NO_WINDOW},
    {"FAST_REACT", "flag", "", AS_IN_PAPER},
    {"SAMPLE_FEEDBACK", "flag", "", AS_IN_PAPER},
    {"MULTI_RATE", "flag", "", "HPCC keeps one rate, that of the busiest link, as in the paper"},
    {"INT_MULTI", "count", "", FULL_TELEMETRY},
    {"PINT_*", "", "", NO_PINT},
    {"RATE_BOUND", "flag", "", "rates always bind"},
    {"PAUSE_TIME", "us", "", "pauses last until they are revoked or their quanta run out"},
    {"HEADROOM_FACTOR", "ratio", "", "headroom is computed from link and frame sizes"},
    {"NIC_TOTAL_PAUSE_TIME", "us", "", "NICs pause when a switch tells them to"},
    {"DATA_RATE", "rate", "", "rates come from the topology"},
    {"LINK_DELAY", "time", "", "delays come from the topology"},
    {"SEND_IN_CHUNKS", "flag", "", "a flow is one message"},
    {"TCP_FLOW_FILE", "path", "", "this program simulates RoCE flows alone"},
    {"APP_*", "", "", FROM_FLOW_FILE},
    {"FLOWGEN_*", "s", "", FROM_FLOW_FILE},
    {"LOAD", "%", "", FROM_FLOW_FILE},
    {"CONWEAVE_*", "", "", NO_CONWEAVE},
    {"ENABLE_TRACE", "flag", "", PACKET_TRACE},
    {"TRACE_FILE", "path", "", PACKET_TRACE},
    {"TRACE_OUTPUT_FILE", "path", "", PACKET_TRACE},
    {"CNP_MON_FILE", "path", "", COUNTED},
    {"CNP_OUTPUT_FILE", "path", "", COUNTED},
    {"*_MON_FILE", "path", "", SERIES},
    {"*_MON_DETAIL_FILE", "path", "", SERIES},
    {"*MON_START", "ns", "", SERIES},
    {"*MON_END", "ns", "", SERIES},
    {"*_MON_INTERVAL", "ns", "", SERIES},
    {"SW_MONITORING_INTERVAL", "ns", "", SERIES},
};

/** \param pattern a key, or one with a star at one end \param key a key \return if it fits */
bool
Fits(std::string_view pattern, std::string_view key)
{
    if (pattern.front() == '*')
    {
        const std::string_view end = pattern.substr(1);
        return key.size() >= end.size() && key.substr(key.size() - end.size()) == end;
    }
    if (pattern.back() == '*')
    {
        const std::string_view begin = pattern.substr(0, pattern.size() - 1);
        return key.substr(0, begin.size()) == begin;
    }
    return pattern == key;
}

} // namespace

const HpccConfigKey*
FindHpccConfigKey(std::string_view key)
{
    for (const HpccConfigKey& known : KNOWN_KEYS)
    {
        if (Fits(known.key, key))
        {
            return &known;
        }
    }
    return nullptr;
}

} // namespace ns3
