/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-file.h"

#include "decimal-time.h"

#include "ns3/text-scanner.h"

#include <cctype>
#include <limits>

namespace ns3
{

namespace
{

/** What a form of flow file looks like. */
struct FormDescription
{
    std::size_t columns; //!< words in a flow's line
    const char* names;   //!< their names
};

/** \param form a form \return its description */
FormDescription
Describe(FlowFileForm form)
{
    switch (form)
    {
    case FlowFileForm::CONWEAVE:
        return {5, "source, destination, priority, bytes, start"};
    case FlowFileForm::NS3_RDMA:
        return {6, "source, destination, priority, packets, start, stop"};
    default:
        return {6, "source, destination, priority, destination port, bytes, start"};
    }
}

/** No flow has more bytes, as no collective of a workload has: a petabyte (binary). */
constexpr uint64_t MAX_BYTES = uint64_t(1) << 50;

/** \param line a line \return whether it starts with a number, as flows do and notes do not */
bool
IsFlow(const TextLine& line)
{
    return !line.IsBlank() && std::isdigit(static_cast<unsigned char>(line.GetWord(0)[0]));
}

/** \param line the first flow \return the form that its columns have */
FlowFileForm
FindForm(const TextLine& line)
{
    if (line.GetCount() == Describe(FlowFileForm::CONWEAVE).columns)
    {
        return FlowFileForm::CONWEAVE;
    }
    // The fifth column is a size in bytes or, with a point, a start time.
    const bool isTime = line.GetCount() > 4 && line.GetWord(4).find('.') != std::string_view::npos;
    return isTime ? FlowFileForm::NS3_RDMA : FlowFileForm::HPCC;
}

/** Reads the flows of one file. */
class FlowReader
{
  public:
    /** \param options what they must fit */
    explicit FlowReader(const FlowFileOptions& options)
        : m_options(options)
    {
    }

    /**
     * \param line a line
     * \param form its columns
     * \return the flow
     */
    FlowEntry Read(const TextLine& line, FlowFileForm form)
    {
        const FormDescription description = Describe(form);
        line.RequireCount(description.columns, description.names);
        FlowEntry flow;
        flow.line = line.GetNumber();
        flow.src = ReadNode(line, 0, "source");
        flow.dst = ReadNode(line, 1, "destination");
        if (flow.src == flow.dst)
        {
            line.Fail("a flow between two different nodes");
        }
        flow.priority = line.Get(2).GetUint("priority", 0, 7);
        std::size_t startColumn = description.columns - 1;
        switch (form)
        {
        case FlowFileForm::HPCC:
            flow.dstPort = line.Get(3).GetUint("destination port", 0, 65535);
            flow.bytes = line.Get(4).GetUint("bytes", 1, MAX_BYTES);
            break;
        case FlowFileForm::CONWEAVE:
            flow.bytes = line.Get(3).GetUint("bytes", 1, MAX_BYTES);
            break;
        case FlowFileForm::NS3_RDMA:
            startColumn = 4;
            flow.bytes = m_options.packetBytes *
                         line.Get(3).GetUint("packets", 1, MAX_BYTES / m_options.packetBytes);
            flow.stop = ReadDecimalTime(line.Get(5), "stop time, s", Time::S);
            break;
        }
        flow.start = ReadStart(line, startColumn);
        return flow;
    }

  private:
    /**
     * \param line a flow
     * \param column where the id stands
     * \param what its name
     * \return a node id
     */
    uint32_t ReadNode(const TextLine& line, std::size_t column, const char* what) const
    {
        const std::vector<bool>& isHost = m_options.isHost;
        const uint64_t max =
            isHost.empty() ? std::numeric_limits<uint32_t>::max() : isHost.size() - 1;
        const TextValue value = line.Get(column);
        const uint64_t node = value.GetUint(std::string(what) + ", a node id", 0, max);
        if (!isHost.empty() && !isHost[node])
        {
            value.Fail(std::string(what) + ", a host: this node is a switch");
        }
        return node;
    }

    /**
     * \param line a flow
     * \param column where its start time stands
     * \return the start time, not before that of the flow read before
     */
    Time ReadStart(const TextLine& line, std::size_t column)
    {
        const TextValue value = line.Get(column);
        const Time start = ReadDecimalTime(value, "start time, s", Time::S);
        if (start < m_start)
        {
            value.Fail("a start time that is not before the flow above (" + m_startText +
                       " s): flows go by start time");
        }
        m_start = start;
        m_startText = value.GetText();
        return start;
    }

    const FlowFileOptions& m_options; //!< what the flows must fit
    Time m_start;                     //!< start of the flow read last
    std::string m_startText;          //!< the same as it stands in the file
};

/**
 * \param file a flow file
 * \param next first line behind its flows, counted from 0
 * \param [in,out] result gets the number of lines that are ignored
 */
void
CountIgnored(const TextFile& file, std::size_t next, FlowFile& result)
{
    const std::size_t columns = Describe(result.form).columns;
    for (std::size_t i = file.FindText(next); i < file.GetLineCount(); i = file.FindText(i + 1))
    {
        const TextLine line = file.GetLine(i);
        const bool isFlow = IsFlow(line) && (result.flows.empty() || line.GetCount() == columns);
        (isFlow ? result.ignoredFlows : result.ignoredLines)++;
    }
}

} // namespace

std::string
FlowFile::DescribeIgnored() const
{
    if (ignoredFlows + ignoredLines == 0)
    {
        return "";
    }
    return "the first line announces " + std::to_string(flows.size()) + " flows: ignored " +
           std::to_string(ignoredFlows) + " more flow lines and " + std::to_string(ignoredLines) +
           " other lines";
}

FlowFile
ReadFlowFile(const TextFile& file, const FlowFileOptions& options)
{
    FlowFile result;
    std::size_t next = file.FindText(0);
    if (next == file.GetLineCount())
    {
        file.GetLine(0).Fail("the number of flows");
    }
    const TextLine header = file.GetLine(next);
    header.RequireCount(1, "number of flows");
    const uint64_t count = header.Get(0).GetUint("number of flows");
    FlowReader reader(options);
    for (next = file.FindText(next + 1); result.flows.size() < count;
         next = file.FindText(next + 1))
    {
        if (next == file.GetLineCount())
        {
            header.Fail(std::to_string(result.flows.size()) +
                        ", the number of flow lines that follow");
        }
        const TextLine line = file.GetLine(next);
        if (!IsFlow(line))
        {
            line.Get(0).Fail("the source of flow " + std::to_string(result.flows.size() + 1) +
                             " of the " + std::to_string(count) +
                             " that the first line announces, a node id");
        }
        if (result.flows.empty())
        {
            result.form = FindForm(line);
        }
        result.flows.push_back(reader.Read(line, result.form));
    }
    CountIgnored(file, next, result);
    return result;
}

FlowFile
ReadFlowFile(const std::string& path, const FlowFileOptions& options)
{
    return ReadFlowFile(TextFile(path), options);
}

} // namespace ns3
