/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-config-keys.h"

#include "flow-reader/decimal-time.h"

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

constexpr const char* NO_WINDOW = "queue pairs have no static window";
constexpr const char* OTHER_OUTPUT = "results go to the result folder";
constexpr const char* HPCC_ONLY = "belongs to HPCC or PINT";
constexpr const char* GO_BACK_N = "losses are repaired by go-back-N to the packet lost";
constexpr const char* OTHER_BALANCER = "load balancing is chosen by TypeId";
constexpr const char* OTHER_FLOWS = "flows come from the flow file";

using C = HpccConfig; //!< short in the table

/** The keys of the family. */
constexpr HpccConfigKey KNOWN_KEYS[] = {
    {"PACKET_PAYLOAD_SIZE", SetPositive<&C::payloadBytes>, nullptr},
    {"L2_CHUNK_SIZE", SetUint32<&C::chunkBytes>, GO_BACK_N},
    {"L2_ACK_INTERVAL", SetUint32<&C::ackIntervalBytes>, nullptr},
    {"L2_BACK_TO_ZERO", SetFlag<&C::backToZero>, GO_BACK_N},
    {"L2_WAIT_FOR_ACK", nullptr, GO_BACK_N},
    {"ACK_HIGH_PRIO", SetFlag<&C::ackHighPriority>, nullptr},
    {"TOPOLOGY_FILE", SetText<&C::topologyFile>, nullptr},
    {"FLOW_FILE", SetText<&C::flowFile>, nullptr},
    {"FLOW_INPUT_FILE", SetText<&C::flowFile>, nullptr},
    {"FCT_OUTPUT_FILE", SetText<&C::fctFile>, nullptr},
    {"PFC_OUTPUT_FILE", SetText<&C::pfcFile>, nullptr},
    {"QLEN_MON_FILE", SetText<&C::queueFile>, nullptr},
    {"QLEN_MON_START", SetNanoseconds<&C::queueStart>, nullptr},
    {"QLEN_MON_END", SetNanoseconds<&C::queueEnd>, nullptr},
    {"SIMULATOR_STOP_TIME", SetStopTime, nullptr},
    {"CC_MODE", SetUint32<&C::ccMode>, nullptr},
    {"ENABLE_QCN", SetFlag<&C::qcn>, nullptr},
    {"ALPHA_RESUME_INTERVAL", nullptr, nullptr, ReadTimer, "AlphaTimer"},
    {"RATE_DECREASE_INTERVAL", nullptr, nullptr, ReadMicroseconds, "MinimumDecreaseInterval"},
    {"RP_TIMER", nullptr, nullptr, ReadTimer, "IncreaseTimer"},
    {"CNP_INTERVAL", SetMicroseconds<&C::cnpInterval>, nullptr},
    {"BYTE_COUNTER", nullptr, nullptr, ReadInteger<0, MAX_64>, "ByteCounter"},
    {"EWMA_GAIN", nullptr, nullptr, ReadFraction, "AlphaGain"},
    {"DCTCP_GAIN", nullptr, nullptr, ReadFraction, "AlphaGain"},
    {"FAST_RECOVERY_TIMES", nullptr, nullptr, ReadInteger<1, MAX_32>, "FastRecoveryStages"},
    {"RATE_AI", nullptr, nullptr, ReadRate, "AdditiveIncrease"},
    {"RATE_HAI", nullptr, nullptr, ReadRate, "HyperIncrease"},
    {"MIN_RATE", nullptr, nullptr, ReadRate, "MinRate"},
    {"DCTCP_RATE_AI", nullptr, nullptr, ReadRate, ""},
    {"U_TARGET", nullptr, nullptr, ReadFraction, "TargetUtilization"},
    {"MI_THRESH", nullptr, nullptr, ReadInteger<0, MAX_32>, "MaxStage"},
    {"BUFFER_SIZE", SetBuffer, nullptr},
    {"ENABLE_PFC", SetFlag<&C::pfc>, nullptr},
    {"USE_DYNAMIC_PFC_THRESHOLD", SetFlag<&C::dynamicPfcThreshold>, nullptr},
    {"ERROR_RATE_PER_LINK", SetLossRate<&C::errorRate>, nullptr},
    {"LINK_DOWN", SetLinkDown, nullptr},
    {"RANDOM_SEED", SetSeed<&C::randomSeed>, nullptr},
    {"KMIN_MAP", SetRateMap<&Draft::kmin, false>, nullptr},
    {"KMAX_MAP", SetRateMap<&Draft::kmax, false>, nullptr},
    {"PMAX_MAP", SetRateMap<&Draft::pmax, true>, nullptr},
    {"KMIN", SetFlat<&Draft::flatKmin>, nullptr},
    {"KMAX", SetFlat<&Draft::flatKmax>, nullptr},
    {"PMAX", SetFlatPmax, nullptr},
    {"CLAMP_TARGET_RATE", nullptr, "every cut sets the target rate, as in the paper"},
    {"CLAMP_TARGET_RATE_AFTER_TIMER", nullptr, "every cut sets the target rate, as in the paper"},
    {"NP_SAMPLING_INTERVAL", nullptr, "every marked packet is seen"},
    {"HAS_WIN", nullptr, NO_WINDOW},
    {"GLOBAL_T", nullptr, NO_WINDOW},
    {"VAR_WIN", nullptr, NO_WINDOW},
    {"FAST_REACT", nullptr, HPCC_ONLY},
    {"INT_MULTI", nullptr, HPCC_ONLY},
    {"MULTI_RATE", nullptr, HPCC_ONLY},
    {"SAMPLE_FEEDBACK", nullptr, HPCC_ONLY},
    {"PINT_LOG_BASE", nullptr, HPCC_ONLY},
    {"PINT_PROB", nullptr, HPCC_ONLY},
    {"RATE_BOUND", nullptr, "rates always bind"},
    {"PAUSE_TIME", nullptr, "pauses last until they are revoked or their quanta run out"},
    {"HEADROOM_FACTOR", nullptr, "headroom is computed from link and frame sizes"},
    {"NIC_TOTAL_PAUSE_TIME", nullptr, "NICs pause when a switch tells them to"},
    {"DATA_RATE", nullptr, "rates come from the topology"},
    {"LINK_DELAY", nullptr, "delays come from the topology"},
    {"ENABLE_IRN", nullptr, GO_BACK_N},
    {"LB_MODE", nullptr, OTHER_BALANCER},
    {"PACKET_LEVEL_ECMP", nullptr, OTHER_BALANCER},
    {"FLOW_LEVEL_ECMP", nullptr, OTHER_BALANCER},
    {"SEND_IN_CHUNKS", nullptr, "a flow is one message"},
    {"TCP_FLOW_FILE", nullptr, "there is no TCP traffic"},
    {"APP_START_TIME", nullptr, OTHER_FLOWS},
    {"APP_STOP_TIME", nullptr, OTHER_FLOWS},
    {"FLOWGEN_START_TIME", nullptr, OTHER_FLOWS},
    {"FLOWGEN_STOP_TIME", nullptr, OTHER_FLOWS},
    {"LOAD", nullptr, OTHER_FLOWS},
    {"ENABLE_TRACE", nullptr, OTHER_OUTPUT},
    {"TRACE_FILE", nullptr, OTHER_OUTPUT},
    {"TRACE_OUTPUT_FILE", nullptr, OTHER_OUTPUT},
    {"BW_MON_FILE", nullptr, OTHER_OUTPUT},
    {"CNP_MON_FILE", nullptr, OTHER_OUTPUT},
    {"CNP_OUTPUT_FILE", nullptr, OTHER_OUTPUT},
    {"RATE_MON_FILE", nullptr, OTHER_OUTPUT},
    {"MON_START", nullptr, OTHER_OUTPUT},
    {"MON_END", nullptr, OTHER_OUTPUT},
    {"QP_MON_INTERVAL", nullptr, OTHER_OUTPUT},
    {"QLEN_MON_INTERVAL", nullptr, OTHER_OUTPUT},
    {"BW_MON_INTERVAL", nullptr, OTHER_OUTPUT},
    {"SW_MONITORING_INTERVAL", nullptr, OTHER_OUTPUT},
};

} // namespace

const HpccConfigKey*
FindHpccConfigKey(std::string_view key)
{
    for (const HpccConfigKey& known : KNOWN_KEYS)
    {
        if (known.key == key)
        {
            return &known;
        }
    }
    return nullptr;
}

} // namespace ns3
