/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HPCC_QLEN_WRITER_H
#define HPCC_QLEN_WRITER_H

#include "hpcc-pfc-writer.h"

#include <optional>

namespace ns3
{

/** \ingroup roce \brief When HPCC looks at queues. */
struct HpccQlenTimes
{
    Time start;              //!< first look
    std::optional<Time> end; //!< the first look not before it is the last; absent: with the run
};

/**
 * \ingroup roce
 * \brief Histograms of queue lengths in HPCC's format (QLEN_MON_FILE): how often a port of a switch
 * had so many KB queued, looking every 100 ns.
 *
 * Blocks of a line "time: T", in ns, and a line for each port of each switch: node, port counted
 * from 1, and how often since the start there were 0 to 999, 1000 to 1999, ... bytes. Blocks stand
 * at the looks whose time is a multiple of 100 ms, as in the original, and, unlike there, one more
 * at the last look. It takes the samples of metric "depth": nothing looks, the number of looks
 * between two changes is computed. A look sees what changed at its very time.
 */
class HpccQlenWriter : public ResultSinkTemplate<HpccQlenWriter, ResultWriter>
{
  public:
    /**
     * \param path the file
     * \param nodes by node of the records
     * \param times when it looks
     */
    HpccQlenWriter(const std::string& path,
                   const std::vector<HpccNode>& nodes,
                   const HpccQlenTimes& times);

    /** \param record ignored */
    template <class R>
    void Take(const R& record)
    {
    }

    /** \param record a port's depth changed */
    void Take(const SeriesRecord& record);

    /** Writes the last block. The run ends now; if nothing is queued, it looks on until its end. */
    void Close() override;

  private:
    /** A port of a switch. */
    struct Port
    {
        uint64_t bytes{0};            //!< queued
        uint64_t looks{0};            //!< looks counted so far
        std::vector<uint64_t> counts; //!< looks by KB
    };

    /** A switch. */
    struct Switch
    {
        uint32_t id{0};          //!< its id in the topology file
        std::vector<Port> ports; //!< its ports
    };

    /** \param when an instant \return number of looks before it */
    uint64_t CountLooksBefore(Time when) const;
    /** \param port a port \param looks it was that deep at all of these looks, from the first on */
    static void CountUpTo(Port& port, uint64_t looks);
    /** \param looks blocks that are due before so many looks are written */
    void WriteDue(uint64_t looks);
    /** \param look number of a look, counted from 0; writes the block of it */
    void WriteBlock(uint64_t look);
    /** \return whether nothing is queued */
    bool IsIdle() const;

    ResultFile m_file;                    //!< the file
    std::vector<Switch> m_switches;       //!< in the order of their ids
    std::vector<std::size_t> m_byNode;    //!< index of a switch by node of the records
    Time m_start;                         //!< time of the first look
    std::optional<uint64_t> m_looks;      //!< number of looks, if the end is known
    uint64_t m_nextBlock{0};              //!< first look whose block has not been written
    std::optional<uint64_t> m_lastBlock;  //!< look of the block written last
};

} // namespace ns3

#endif /* HPCC_QLEN_WRITER_H */
