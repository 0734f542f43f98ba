/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simai-header.h"

#include "ns3/simai-policy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** Reads the words of the header one after another. */
class HeaderReader
{
  public:
    /**
     * \param line header
     * \param [out] workload gets what it says
     */
    HeaderReader(const TextLine& line, SimaiWorkload& workload)
        : m_line(line),
          m_workload(workload)
    {
    }

    /** Reads all keys of a header that has keys. */
    void ReadKeys()
    {
        while (m_next < m_line.GetCount())
        {
            const TextValue word = Next("a key");
            std::string_view key = word.GetText();
            key = key.substr(0, key.size() - (key.back() == ':'));
            if (!ReadKey(key))
            {
                word.Fail("a key: model_parallel_NPU_group, ep, pp, vpp, ga, all_gpus, "
                          "checkpoints, checkpoint_initiates or pp_comm");
            }
            if (!m_keys.emplace(key, m_next).second)
            {
                word.Fail("each key once");
            }
        }
        if (!m_workload.tensorParallel)
        {
            m_line.Fail("a header with model_parallel_NPU_group, the tensor parallel size");
        }
    }

    /**
     * \param what name of the value, for the error
     * \return the next word
     */
    TextValue Next(std::string_view what)
    {
        if (m_next == m_line.GetCount())
        {
            m_line.Fail("a header that goes on with " + std::string(what));
        }
        return m_line.Get(m_next++);
    }

    /** Makes sure that no word is left. */
    void RequireEnd()
    {
        if (m_next < m_line.GetCount())
        {
            m_line.Get(m_next).Fail("the end of the line: " + m_workload.policy +
                                    " has no more parameters");
        }
    }

  private:
    /**
     * Reads the value behind a key.
     * \param key key
     * \return false if there is no such key
     */
    bool ReadKey(std::string_view key)
    {
        const std::pair<std::string_view, std::optional<uint32_t>*> sizes[] = {
            {"model_parallel_NPU_group", &m_workload.tensorParallel},
            {"ep", &m_workload.expertParallel},
            {"pp", &m_workload.pipelineParallel},
            {"vpp", &m_workload.virtualPipeline},
            {"ga", &m_workload.gradientAccumulation},
            {"all_gpus", &m_workload.allGpus},
        };
        for (const auto& [name, size] : sizes)
        {
            if (key == name)
            {
                *size = Next(name).GetUint(name, 1, SIMAI_MAX_COUNT);
                return true;
            }
        }
        if (key == "checkpoints")
        {
            m_workload.checkpoints = ReadList(key);
        }
        else if (key == "checkpoint_initiates")
        {
            m_workload.checkpointInitiates = ReadList(key);
        }
        else if (key == "pp_comm")
        {
            m_workload.pipelineBytes = ReadWholeNumber(Next(key));
        }
        else
        {
            return false;
        }
        return true;
    }

    /**
     * \param key key
     * \return the list behind it: a count and that many rows
     */
    std::vector<uint32_t> ReadList(std::string_view key)
    {
        const uint64_t count = Next(key).GetUint(key, 0, SIMAI_MAX_COUNT);
        std::vector<uint32_t> rows;
        for (uint64_t i = 0; i < count; i++)
        {
            rows.push_back(Next(key).GetUint("row in " + std::string(key), 0, SIMAI_MAX_COUNT));
        }
        return rows;
    }

    /**
     * \param value bytes, which AICB may write as "5242880.0"
     * \return the bytes
     */
    uint64_t ReadWholeNumber(const TextValue& value) const
    {
        const double bytes =
            value.GetDouble("pipeline message in bytes", 0, static_cast<double>(SIMAI_MAX_BYTES));
        if (bytes != std::floor(bytes))
        {
            value.Fail("a whole number of bytes");
        }
        return static_cast<uint64_t>(bytes);
    }

    const TextLine& m_line;                         //!< header
    SimaiWorkload& m_workload;                      //!< what it says
    std::size_t m_next{1};                          //!< next word
    std::map<std::string_view, std::size_t> m_keys; //!< keys read
};

} // namespace

void
ReadSimaiHeader(const TextLine& line, SimaiWorkload& workload)
{
    workload.policy = line.GetWord(0);
    const auto policy = SimaiPolicy::Create(workload.policy);
    if (!policy)
    {
        line.Get(0).Fail("a parallelisation policy of a SimAI workload: " +
                         SimaiPolicy::ListNames());
    }
    HeaderReader reader(line, workload);
    if (policy->HasParallelSizes())
    {
        reader.ReadKeys();
    }
    else if (workload.policy.rfind("HYBRID_DLRM", 0) == 0)
    {
        workload.lastBottomLayer =
            reader.Next("last bottom layer").GetUint("last bottom layer", 0, SIMAI_MAX_COUNT);
    }
    if (!policy->HasParallelSizes())
    {
        reader.RequireEnd();
    }
}

void
CheckSimaiRowNumbers(const TextLine& header, const SimaiWorkload& workload)
{
    const auto check = [&](uint64_t row, const std::string& what) {
        if (row >= workload.rows.size())
        {
            header.Fail(what + " below " + std::to_string(workload.rows.size()) +
                        ", the number of rows, not " + std::to_string(row));
        }
    };
    for (uint32_t row : workload.checkpoints)
    {
        check(row, "checkpoints");
    }
    for (uint32_t row : workload.checkpointInitiates)
    {
        check(row, "checkpoint_initiates");
        if (std::none_of(workload.checkpoints.begin(),
                         workload.checkpoints.end(),
                         [row](uint32_t checkpoint) { return checkpoint <= row; }))
        {
            header.Fail("a checkpoint at or before row " + std::to_string(row) +
                        " of checkpoint_initiates");
        }
    }
    check(workload.lastBottomLayer, "last bottom layer");
}

} // namespace ns3
