/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ACCURACY_STUDY_H
#define ACCURACY_STUDY_H

#include "accuracy-data.h"
#include "accuracy-platforms.h"

#include "ns3/collective-group.h"
#include "ns3/collective-request.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class Cluster;
class CollectiveEngine;
class HardwareTable;
class ScopedDefaults;

/** \ingroup railyard \brief A collective that was timed, beside its simulation. */
struct AccuracyResult
{
    MeasuredCollective measured; //!< what somebody measured
    bool isFinished{false};      //!< the collective has ended, else the rest means nothing
    double microseconds{0};      //!< simulated time
    std::string algorithm;       //!< that was used
    std::string network;         //!< fidelity: "packet", "flow" or "analytic"

    /** \return (simulated - measured) / measured, percent */
    double GetErrorPercent() const
    {
        return 100 * (microseconds - measured.microseconds) / measured.microseconds;
    }

    /** \return whether it counts among the large ones: 1 MiB and more */
    bool IsLarge() const
    {
        return measured.bytes >= 1U << 20;
    }
};

/** \ingroup railyard \brief Mean absolute percentage errors of some rows. */
struct AccuracyFigures
{
    std::string name;       //!< of the platform, empty for all
    uint64_t large{0};      //!< rows of 1 MiB and more
    uint64_t small{0};      //!< rows below
    double largeSum{0};     //!< sum of their absolute errors, percent
    double smallSum{0};     //!< sum of theirs
    AccuracyResult worst;   //!< row with the largest absolute error

    /** \param result one more row, which counts if it has finished */
    void Add(const AccuracyResult& result);
    /** \return mean absolute error of rows of 1 MiB and more, percent; 0 without rows */
    double GetMape() const;
    /** \return mean absolute error of rows below 1 MiB, percent; 0 without rows */
    double GetMapeSmall() const;
};

/**
 * \ingroup railyard
 * \brief Simulates collectives that others have timed, and compares.
 *
 * Every row runs alone on its platform with NcclSelector: packet by packet where that is a matter
 * of seconds, else by flows, and in large NVLink domains by closed form. Rows of a platform that is
 * not known are counted, not simulated.
 */
class AccuracyStudy
{
  public:
    /**
     * \param platforms how platforms are simulated
     * \param network "packet", "flow" or "analytic" for all rows; empty: as said above
     */
    AccuracyStudy(const AccuracyPlatforms& platforms, const std::string& network);

    /**
     * Simulates all rows.
     * \param data the rows
     */
    void Run(const AccuracyData& data);

    /** \return attributes that it sets itself, by full name */
    static const std::vector<std::string>& GetOwnAttributes();

    /** \return all rows that were simulated, in the order of the data */
    const std::vector<AccuracyResult>& GetResults() const
    {
        return m_results;
    }

    /** \return rows whose collective never ended, such as after retries in vain */
    uint64_t CountUnfinished() const;

    /** \return figures by platform, the largest error first */
    std::vector<AccuracyFigures> GetFigures() const;

    /** \return figures of all rows */
    AccuracyFigures GetTotal() const;

    /** \return number of rows of platforms that are not known, by name */
    const std::map<std::string, uint64_t>& GetUnknown() const
    {
        return m_unknown;
    }

    /** \param os gets a table of figures by platform */
    void Print(std::ostream& os) const;

    /**
     * Writes accuracy.csv and summary.json.
     * \param folder where
     * \param data what was simulated
     */
    void Write(const std::string& folder, const AccuracyData& data) const;

  private:
    /** Rows that one simulated cluster can do one after the other. */
    struct Batch
    {
        std::string name;                 //!< of the platform
        const AccuracyPlatform* platform; //!< platform
        uint32_t servers;                 //!< servers of the topology
        uint32_t gpus;                    //!< ranks
        std::string algorithm;            //!< that is forced, empty for none
        std::string network;              //!< fidelity

        /** \param other a batch \return whether this one comes first, in some order */
        bool operator<(const Batch& other) const;
    };

    /**
     * \param platform its platform
     * \param row a row
     * \return what it needs
     */
    Batch GetBatch(const AccuracyPlatform& platform, const MeasuredCollective& row) const;

    /**
     * \param batch what rows need
     * \param [out] defaults get the attributes that this means
     */
    static void SetDefaults(const Batch& batch, ScopedDefaults& defaults);

    /** \param batch what rows need \return the topology that they run on */
    static std::string GetSpec(const Batch& batch);

    /** \param row a row \param group its group \return the collective */
    static CollectiveCall MakeCall(const MeasuredCollective& row, uint32_t group);

    /**
     * Refuses a row that cannot run: a ConfigError.
     * \param engine plans it
     * \param cluster where
     * \param group its group of ranks
     * \param row the row
     */
    static void Check(CollectiveEngine& engine,
                      const Cluster& cluster,
                      const CollectiveGroup& group,
                      const MeasuredCollective& row);

    /**
     * Says what is wrong with a platform before any row is simulated.
     * \param batch what rows need; a ConfigError if there is no such GPU or topology, or if it has
     * too few GPUs
     * \param hardware whose GPUs there are
     * \param source where the first of the rows stands
     */
    static void Check(const Batch& batch, const HardwareTable& hardware, const std::string& source);

    /**
     * Simulates rows.
     * \param batch what they need, checked
     * \param rows indices of m_results; a ConfigError if one cannot run, before all of them
     */
    void RunBatch(const Batch& batch, const std::vector<std::size_t>& rows);

    AccuracyPlatforms m_platforms;             //!< how platforms are simulated
    std::string m_network;                     //!< fidelity of all rows, or empty
    std::vector<AccuracyResult> m_results;     //!< rows
    std::map<std::string, uint64_t> m_unknown; //!< rows of platforms that are not known
};

} // namespace ns3

#endif /* ACCURACY_STUDY_H */
