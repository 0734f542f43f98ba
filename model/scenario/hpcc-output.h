/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HPCC_OUTPUT_H
#define HPCC_OUTPUT_H

#include "port-finder.h"
#include "port-taps.h"

#include "ns3/flow-file.h"
#include "ns3/hpcc-config.h"
#include "ns3/hpcc-fct-writer.h"
#include "ns3/hpcc-qlen-writer.h"
#include "ns3/result-folder.h"
#include "ns3/series-recorder.h"

#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief Which output files in HPCC's formats a run writes. */
struct HpccOutputOptions
{
    std::string fct;     //!< file of completion times, empty: none
    std::string pfc;     //!< file of pauses, empty: none
    std::string qlen;    //!< file of queue lengths, empty: none
    HpccQlenTimes times; //!< when it looks at the queues

    /** \return whether there is a file of completion times */
    bool WantsFct() const
    {
        return !fct.empty();
    }

    /**
     * \param config keys FCT_OUTPUT_FILE, PFC_OUTPUT_FILE, QLEN_MON_FILE, QLEN_MON_START and
     * QLEN_MON_END; of a path the last part is the name of a file in the result folder
     * \return what they ask for; a ConfigError if two files have the same name
     */
    static HpccOutputOptions Read(const HpccConfig& config);

    /**
     * \param value "fct", "pfc", "qlen", several with commas, or "none"
     * \return fct.txt, pfc.txt and qlen.txt, the last over the whole run; a ConfigError if wrong
     */
    static HpccOutputOptions Parse(const TextValue& value);
};

/** \ingroup railyard \brief Writes the output files in HPCC's formats that were asked for. */
class HpccOutput
{
  public:
    /** \param cluster whose ports \param options which files */
    HpccOutput(Cluster& cluster, const HpccOutputOptions& options);

    /** Adds pauses and queue lengths. \param results gets them \param taps those of the ports */
    void AddTo(ResultFolder& results, PortTaps& taps);

    /** Adds completion times. \param results gets them \param flows by id \param form columns */
    void AddFct(ResultFolder& results, std::vector<HpccFlow> flows, FlowFileForm form);

    /** Records what is held back; the taps must have been taken off before. */
    void Finish();

    /** \return what the user should know of the files */
    std::vector<std::string> GetNotes() const;

  private:
    /** \return the nodes as the files name them, by node of the topology */
    std::vector<HpccNode> GetNodes() const;
    /**
     * \param recorder a class of SeriesRecorder
     * \param sink gets its samples
     * \param hosts also those of hosts
     * \param taps those of the ports
     */
    void Watch(const std::string& recorder, ResultSink& sink, bool hosts, PortTaps& taps);

    Cluster& m_cluster;                               //!< whose ports
    HpccOutputOptions m_options;                      //!< which files
    std::vector<Ptr<PortSeriesRecorder>> m_recorders; //!< of pauses and depths
};

} // namespace ns3

#endif /* HPCC_OUTPUT_H */
