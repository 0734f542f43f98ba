/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_BENCH_RUN_H
#define COLLECTIVE_BENCH_RUN_H

#include "collective-contenders.h"
#include "collective-iterations.h"
#include "nccl-test.h"
#include "run-recorder.h"
#include "scenario-run.h"

#include "ns3/collective-plan-proof.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief What a CollectiveBenchRun measures. */
struct CollectiveBenchRunOptions : ScenarioRunOptions
{
    NcclTest test;                       //!< operation
    NcclSizeRange sizes;                 //!< sizes
    NcclType type;                       //!< type of the elements
    std::string operation{"sum"};        //!< how elements are reduced; takes no time
    CollectiveReduction reduction;       //!< the same, with the type
    uint32_t root{0};                    //!< rank of the root, for operations that have one
    double skew{1};                      //!< SizeShares::MakeZipf()'s, of uneven operations
    std::string shares;                  //!< file for SizeShares::Read() instead, empty for none
    uint32_t threads{1};                 //!< threads of nccl-tests
    std::optional<uint32_t> gpus;        //!< GPUs of each thread; absent: all of the topology
    uint32_t iterations{1};              //!< timed iterations of a size
    uint32_t warmUps{0};                 //!< iterations of a size before
    bool isBlocking{false};              //!< ranks wait for the last one between iterations
    bool check{true};                    //!< prove the plans
    CollectiveContest contest;           //!< who does it
    bool messages{false};                //!< record every message
};

/** \ingroup railyard \brief A row of the table. */
struct CollectiveBenchRow
{
    std::size_t size{0};          //!< which of the sizes, from 0
    std::size_t contender{0};     //!< which of the columns of a comparison, from 0
    CollectiveBenchRecord record; //!< what was measured
};

/**
 * \ingroup railyard
 * \brief Times one operation over sizes on a packet-level cluster, as nccl-tests does.
 *
 * Each size is done by CollectiveIterations; its time is that of the timed iterations, from the
 * entry of all ranks to the end of the last one, over their number. The next row begins GAP_MS
 * later, in which congestion controls come to rest.
 *
 * What is wrong of a plan is found by CollectivePlanProver; a run with a wrong plan is unfinished.
 */
class CollectiveBenchRun : public ScenarioRun
{
  public:
    /** Time between the end of a row and the beginning of the next one. */
    static constexpr int64_t GAP_MS = 10;

    /** \param options what to measure */
    explicit CollectiveBenchRun(const CollectiveBenchRunOptions& options);
    ~CollectiveBenchRun() override;

    /**
     * Columns of a comparison.
     * \return the algorithms and protocols that run, by contender; a single empty one if the
     * selector chooses
     */
    std::vector<std::string> GetLabels() const;

    /** \return ranks that take part */
    uint32_t GetRankCount() const override;

    /** \return what is simulated */
    const Topology& GetPlan() const
    {
        return GetTopology();
    }

    /** \return what is measured */
    const CollectiveBenchRunOptions& GetOptions() const
    {
        return m_options;
    }

    /** \return the rows measured so far */
    const std::vector<CollectiveBenchRow>& GetRows() const
    {
        return m_done;
    }

    /** Gets the rows of a size that is done, by contender; absent where one cannot do it. */
    using SizeCallback =
        std::function<void(const std::vector<std::optional<CollectiveBenchRecord>>&)>;

    /** \param callback called after each size */
    void SetSizeCallback(SizeCallback callback)
    {
        m_sizeCallback = std::move(callback);
    }

  protected:
    // From ScenarioRun.
    void Start() override;
    double GetFractionDone() const override;
    void RecordEnd() override;
    void Complete(RunSummary& summary) const override;

  private:
    /** A row of the table. */
    struct Row
    {
        std::size_t size{0};      //!< index in m_sizes
        std::size_t contender{0}; //!< who does it
    };

    /** How a rank spent the time. */
    struct RankTime
    {
        Time busy; //!< in iterations
        Time end;  //!< of the last one
    };

    /** Refuses numbers of GPUs and roots that the topology has not. */
    void RequireRanks() const;
    /** Refuses what takes longer than the simulated time can hold. */
    void RequireRepresentableTimes() const;
    /** Spreads the sizes over pairs of ranks, if the operation is uneven. */
    void SpreadSizes();
    /** Chooses who runs. */
    void MakeContenders();
    /** Makes the rows; a ConfigError if a size cannot be done, or ranks cannot reach each other. */
    void MakeRows();
    /** \param row what nobody does; throws a ConfigError that says why */
    [[noreturn]] void Refuse(const Row& row) const;
    /** \param size index in m_sizes \return what a rank asks for, but the group */
    CollectiveCall MakeCall(std::size_t size) const;
    /** \param group a group \param call what it does; a ConfigError if messages have no way */
    void RequireRoutes(const CollectiveGroup& group, const CollectiveCall& call);

    /** Begins the row that is due. */
    void StartRow();
    /** \param row a row \return what ranks launch in one of its iterations, one behind the other */
    std::vector<CollectiveIterationsStep> MakeSteps(const Row& row) const;
    /** Records the row and goes on to the next. \param start of its iterations \param end theirs */
    void RowEnded(Time start, Time end);
    /** \param row one that has ended \return what is recorded of it, but the times */
    CollectiveBenchRecord MakeRecord(const Row& row);
    /** \param row a row \return elements that are not proven right, absent if nothing is known */
    std::optional<uint64_t> CountWrong(const Row& row);
    /** \param span an iteration of a rank that has ended */
    void RecordSpan(const CollectiveIterationSpan& span);
    /** \param row a row \return it in words */
    std::string Describe(const Row& row) const;
    /** Writes the chart of bus bandwidths. */
    void WriteChart() const;
    /** \param summary gets who waits for what, of a run that is not finished */
    void AddUnfinished(RunSummary& summary) const;

    CollectiveBenchRunOptions m_options;                //!< what to measure
    std::vector<NcclSize> m_sizes;                      //!< sizes, rounded
    std::vector<std::shared_ptr<const SizeMatrix>> m_matrices; //!< of uneven operations, by size
    double m_peak{1};                                   //!< see SizeShares::GetPeak()
    Ptr<CollectiveEngine> m_collectives;                //!< plays the plans
    Ptr<NcclSelector> m_costs;                          //!< what kernels cost; null: nothing
    std::unique_ptr<CollectiveContenders> m_contenders; //!< who runs
    std::unique_ptr<CollectiveIterations> m_iterations; //!< of the row that runs
    std::vector<Row> m_rows;                            //!< in the order in which they run
    std::unique_ptr<RunRecorder> m_recorder;            //!< to the results
    std::string m_chartPath;                            //!< of the chart
    std::size_t m_row{0};                               //!< the row that runs
    std::vector<RankTime> m_ranks;                      //!< by rank
    std::vector<CollectiveBenchRow> m_done;             //!< rows that have ended
    std::vector<std::string> m_faults;                  //!< plans that are wrong, a line each
    CollectivePlanProver m_prover;                      //!< of the plans
    SizeCallback m_sizeCallback;                        //!< gets the rows of a size
};

} // namespace ns3

#endif /* COLLECTIVE_BENCH_RUN_H */
