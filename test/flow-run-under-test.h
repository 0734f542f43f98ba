/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_RUN_UNDER_TEST_H
#define FLOW_RUN_UNDER_TEST_H

#include "ns3/flow-options.h"
#include "ns3/flow-run.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \brief Runs flows as the command line does, in a folder of its own; attributes are as they were
 * afterwards. Every finished run is checked: bytes delivered once, no slowdown below 1, no link
 * above its rate.
 */
class FlowRunUnderTest : public testing::Test
{
  protected:
    void SetUp() override;
    void TearDown() override;

    /** \param name a file \param text its content \return its path */
    std::string Write(const std::string& name, const std::string& text) const;
    /** \param hosts hosts, nodes 0 to hosts - 1 \return path of a star, 100 Gbps and 1 us */
    std::string WriteStar(uint32_t hosts) const;
    /** \param senders nodes 1 to this \return path of flows of 1 MB to node 0 at time 0 */
    std::string WriteIncast(uint32_t senders) const;

    /**
     * \param arguments the command line
     * \param folder of the results, within the test's folder
     * \return the options; attributes are set
     */
    FlowRunOptions Parse(const std::vector<std::string>& arguments,
                         const std::string& folder) const;
    /**
     * \param arguments the command line
     * \param folder of the results, within the test's folder
     * \return the summary
     */
    RunSummary Simulate(const std::vector<std::string>& arguments,
                        const std::string& folder = "out");
    /** \param arguments the command line \return the message that refuses it, empty if none */
    std::string GetRefusal(const std::vector<std::string>& arguments);

    /** \param sql a query of out/results.db \return all values of all rows, with blanks between */
    std::string Ask(const std::string& sql) const;
    /** \param path within the test's folder \return the file's content */
    std::string Read(const std::string& path) const;
    /** \param path within the test's folder \return whether it exists */
    bool Exists(const std::string& path) const;
    /** \param folder within the test's folder \return names of its files, in order */
    std::vector<std::string> ListFiles(const std::string& folder) const;
    /** \param name a pcap file of out \return its frames; its times must be in nanoseconds */
    uint64_t CountFrames(const std::string& name) const;
    /**
     * \param keys keys of a configuration
     * \param key one of them
     * \return its value and why it is ignored, empty if it is not there or has an effect
     */
    static std::string GetIgnored(const std::vector<ConfigurationKey>& keys,
                                  const std::string& key);
    /** \param lines some lines \param words some words \return whether a line has all words */
    static bool Mentions(const std::vector<std::string>& lines,
                         const std::vector<std::string>& words);

  private:
    /** Sets every attribute back to what it is by itself. */
    static void Reset();

    std::string m_folder; //!< of the test
};

} // namespace ns3

#endif /* FLOW_RUN_UNDER_TEST_H */
