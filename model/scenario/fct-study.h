/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FCT_STUDY_H
#define FCT_STUDY_H

#include "fct-run.h"

#include "ns3/scoped-defaults.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief What an FctStudy simulates. */
struct FctStudyOptions
{
    std::string topology{"dumbbell:hosts=20,nicRate=10Gbps,delay=1us"}; //!< a dumbbell
    std::string sizes{"web-search-packets"};                            //!< distribution
    Time warmUp{MilliSeconds(200)};                                     //!< not measured
    Time duration{Seconds(2)};                                          //!< measured
    uint32_t firstSeed{1};                                              //!< run number of ns-3
    uint32_t seeds{3};                                                  //!< this many from there on
};

/** \ingroup railyard \brief A number, measured with several seeds. */
struct FctEstimate
{
    double value{0}; //!< over the flows of all seeds
    /** Standard error: deviation of the seeds' own values, over the root of their number. */
    std::optional<double> error;

    /** \param perSeed values of the seeds \return the standard error of their mean, if there are two */
    static std::optional<double> GetStandardError(const std::vector<double>& perSeed);
};

/** \ingroup railyard \brief What the paper's figure says of a congestion control under a load. */
struct FctPublished
{
    const char* control; //!< short name
    double load;         //!< as in the figure
    double median;       //!< us
    double p90;          //!< us
};

/** \ingroup railyard \brief A row of the table: a congestion control under a load. */
struct FctRow
{
    std::string control;    //!< short name of the congestion control
    double load{0};         //!< 1 is 80 % of the bottleneck
    uint64_t samples{0};    //!< measured flows
    uint64_t unfinished{0}; //!< flows that did not complete
    uint64_t mostActive{0}; //!< most flows under way at a time
    FctEstimate median;     //!< of the completion time, us
    FctEstimate p90;        //!< 90 % of the flows take this or less, us
    double queueMedian{0};  //!< of the bottleneck, KB
    double queueP90{0};     //!< 90 % of the samples, KB
    double queueMax{0};     //!< longest of the samples, KB
    uint64_t pauses{0};     //!< PAUSE frames
    uint64_t packetHops{0}; //!< packets times links
    double wallSeconds{0};  //!< wall time of the simulations
    std::optional<FctPublished> published; //!< the paper's, where its network and sizes were used
};

/**
 * \ingroup railyard
 * \brief The flow completion times of Zhu, Ghobadi, Misra, Padhye, "ECN or Delay: Lessons Learnt
 * from Analysis of DCQCN and TIMELY", CoNEXT 2016: flows below 100 KB among web search traffic
 * over a dumbbell of 10 + 10 hosts, 10 Gb/s and 1 us a link.
 *
 * A load of 1 is 8 Gb/s of payload. contrib/roce/doc/flow-completion.md says what the paper leaves
 * open, what is taken for it, and how the results compare.
 */
class FctStudy
{
  public:
    /** \param options what to simulate */
    explicit FctStudy(const FctStudyOptions& options);

    /** \param defaults gets the attributes of the paper's network and congestion controls */
    static void SetPaperAttributes(ScopedDefaults& defaults);

    /**
     * \param control a congestion control
     * \param load 1 is 80 % of the bottleneck
     * \return its row
     */
    FctRow Measure(TypeId control, double load) const;

    /**
     * \param control short name of a congestion control
     * \param load a load
     * \return what the paper says of them, if anything
     */
    static std::optional<FctPublished> FindPublished(const std::string& control, double load);

    /** \param out gets the heading \param csv as comma separated values, or else for people */
    static void PrintHeading(std::ostream& out, bool csv);
    /** \param out gets a row \param row it \param csv as for PrintHeading() */
    static void Print(std::ostream& out, const FctRow& row, bool csv);

  private:
    FctStudyOptions m_options; //!< what to simulate
};

} // namespace ns3

#endif /* FCT_STUDY_H */
