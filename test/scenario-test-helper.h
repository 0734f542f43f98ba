/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SCENARIO_TEST_HELPER_H
#define SCENARIO_TEST_HELPER_H

#include "ns3/attribute.h"
#include "ns3/collective-kind.h"
#include "ns3/command-options.h"
#include "ns3/nstime.h"
#include "ns3/result-records.h"
#include "ns3/result-summary.h"
#include "ns3/topology.h"

#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup tests \brief What a training run is given. */
struct TrainingInput
{
    std::string topology;                   //!< file or template
    std::string workload;                   //!< file
    std::string engine{"fabric"};           //!< event engine
    std::string congestionControl{"Dcqcn"}; //!< congestion control
    Time stop{0};                           //!< end at the latest, 0 for none
    std::string out{};                      //!< result folder, empty for a new one
};

/** \ingroup tests \brief What a training run leaves. */
struct TrainingOutcome
{
    int status{0};      //!< of the program: 0 finished, 1 unfinished, 2 bad input
    std::string error;  //!< what it wrote to standard error
    RunSummary summary; //!< of a run that was not refused
    std::string folder; //!< result folder

    /**
     * \param group purpose of the group: "TP", ...
     * \param bytes size
     * \return the collectives of that group and size; a test fails if there are none
     */
    const CollectiveSummary& GetCollective(const std::string& group, uint64_t bytes) const;

    /** \param part name of a part of the breakdown \return its duration, 0 if there is none */
    Time GetPart(const std::string& part) const;

    /** \param text part of a line \return true if a note has it */
    bool HasNote(const std::string& text) const;

    /** \param text part of a line \return true if a warning has it */
    bool HasWarning(const std::string& text) const;
};

/**
 * \ingroup tests
 * Runs a workload as the program llm-training-example does, and checks what must hold for every
 * run: the breakdown adds up, exposed and hidden communication are its total, a refused run leaves
 * one line and no file.
 * \param input what to run
 * \return what it left
 */
TrainingOutcome RunTraining(const TrainingInput& input);

/** \ingroup tests \brief A collective on a cluster, on the selected network. */
struct CollectiveInput
{
    Topology topology;                               //!< cluster
    uint64_t bytes{0};                               //!< size
    CollectiveKind kind{CollectiveKind::ALL_REDUCE}; //!< operation
    std::vector<uint32_t> ranks{};                   //!< the group, in its order; empty: all GPUs
    std::string algorithm{};                         //!< without ns3:: and Algorithm; empty: any
    std::map<std::string, std::string> defaults{};   //!< of other attributes, by full name
};

/** \ingroup tests \brief What a collective on a cluster came to. */
struct CollectiveOutcome
{
    Time duration;                  //!< first rank in to last rank out
    double busbwGBps{0.0};          //!< as in nccl-tests, GB/s
    std::vector<uint64_t> sent;     //!< payload sent by rank, bytes
    std::vector<uint64_t> received; //!< payload received by rank, bytes
    uint64_t mtuBytes{0};           //!< payload of a full RoCE packet, 0 without NICs
    uint64_t headerBytes{0};        //!< what such a packet adds to it on the wire
    uint64_t delivered{0};          //!< payload that the network counted
    uint32_t channels{0};           //!< of the plan
    std::vector<LinkRecord> links;  //!< what every link carried
    std::vector<std::string> notes; //!< of the cluster
    Topology topology;              //!< of the cluster, with the NICs in use

    /** \return wire bytes / payload bytes of a full RoCE packet */
    double GetWireFactor() const
    {
        return 1.0 + static_cast<double>(headerBytes) / mtuBytes;
    }
};

/**
 * \ingroup tests
 * Carries out one collective without congestion control; no byte and no packet may be lost.
 * \param input what to carry out
 * \return what it came to
 */
CollectiveOutcome RunCollective(const CollectiveInput& input);

/**
 * \ingroup tests
 * \copybrief RunCollective
 * \param topology file or template
 * \param ranks the group, in its order
 * \param kind operation
 * \param bytes size
 * \return what it came to
 */
CollectiveOutcome RunCollective(const std::string& topology,
                                const std::vector<uint32_t>& ranks,
                                CollectiveKind kind,
                                uint64_t bytes);

/** \ingroup tests \param count number of ranks \return 0 to count - 1 */
std::vector<uint32_t> CountRanks(uint32_t count);

/**
 * \ingroup tests
 * \param options options of a program
 * \param words the command line, without the program's name
 * \return CommandOptions::Parse() of them
 */
bool ParseWords(CommandOptions& options, std::vector<std::string> words);

/**
 * \ingroup tests
 * \param name name of the file; a file of that name is replaced
 * \param text what it holds
 * \return its path, in a folder of the test program's own
 */
std::string WriteTestFile(const std::string& name, const std::string& text);

/**
 * \ingroup tests
 * \param sizes keys and values of the first line
 * \param rows rows
 * \return path of a SimAI workload
 */
std::string WriteWorkload(const std::string& sizes, const std::vector<std::string>& rows);

/** \ingroup tests \return path of a topology in SimAI's form: 4 GPUs of a server on one switch of
 * 400 Gbps, 1 us, without NVLink \param lossRate of the link of GPU 0 */
std::string WriteFourGpuStar(const std::string& lossRate = "0");

/** \ingroup tests \param path a file \return its bytes */
std::string ReadTestFile(const std::string& path);

/**
 * \ingroup tests
 * \param folder a result folder
 * \return summary.json without what depends on the day, the machine or the engine
 */
std::string ReadComparableSummary(const std::string& folder);

/**
 * \ingroup tests
 * \brief Cases that hold whatever the fidelity of the network: the parameter is its short name.
 */
class RailyardNetworkCase : public testing::TestWithParam<const char*>
{
  protected:
    RailyardNetworkCase();
    ~RailyardNetworkCase() override;

    /** \return whether the network has packets */
    static bool HasPackets();
};

/** \ingroup tests \brief Another default of an attribute, as long as the object lives. */
class ScopedDefault
{
  public:
    /** \param name full name of the attribute \param value value, as text */
    ScopedDefault(const std::string& name, const std::string& value);
    ~ScopedDefault();
    ScopedDefault(const ScopedDefault&) = delete;
    ScopedDefault& operator=(const ScopedDefault&) = delete;

  private:
    std::string m_name;              //!< attribute
    Ptr<const AttributeValue> m_old; //!< default before
};

/** \ingroup tests \brief Another working directory, as long as the object lives. */
class ScopedDirectory
{
  public:
    /** \param name of a new folder */
    explicit ScopedDirectory(const std::string& name);
    ~ScopedDirectory();
    ScopedDirectory(const ScopedDirectory&) = delete;
    ScopedDirectory& operator=(const ScopedDirectory&) = delete;

    /** \return its path */
    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    std::filesystem::path m_old; //!< directory before
    std::string m_path;          //!< new one
};

} // namespace ns3

#endif /* SCENARIO_TEST_HELPER_H */
