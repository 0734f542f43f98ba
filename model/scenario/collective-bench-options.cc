/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-options.h"

#include "size-shares.h"

#include "ns3/comma-list.h"
#include "ns3/nccl-names.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_FACTOR = 1U << 20;  //!< largest factor from size to size
constexpr uint64_t MAX_GPUS = 1U << 24;    //!< no topology has more
constexpr uint64_t MAX_ITERATIONS = 10000; //!< so many collectives can be open at a time

/** An option of nccl-tests. */
struct NcclOption
{
    char letter;       //!< short form
    const char* name;  //!< long form
    const char* help;  //!< one line
    const char* value; //!< if not given
};

constexpr std::array<NcclOption, 13> NCCL_OPTIONS{{
    {'t', "nthreads", "threads, each of which has its own --ngpus", "1"},
    {'g', "ngpus", "GPUs of each thread; empty for all of the topology (1 beside --nthreads)", ""},
    {'b', "minbytes", "first size; K, M, G and T are powers of 1024", "8"},
    {'e', "maxbytes", "last size at most", "128M"},
    {'f', "stepfactor", "factor from one size to the next", "2"},
    {'i', "stepbytes", "bytes from one size to the next, instead of a factor", ""},
    {'o',
     "op",
     "how elements are reduced: sum, prod, max, min, avg or mulsum; takes no time, but switches do "
     "not know all",
     "sum"},
    {'d', "datatype", "type of the elements: ", "float"},
    {'r', "root", "rank of the root, of operations that have one", "0"},
    {'n', "iters", "timed iterations of a size, one behind the other", "5"},
    {'w', "warmup_iters", "iterations of a size before, which are not timed", "1"},
    {'z', "blocking", "1: all ranks wait for the last one between iterations", "0"},
    {'c', "check", "1: prove the plans, 0: do not", "1"},
}};

/** Operations by their names. */
constexpr std::array<std::pair<std::string_view, ReductionOperation>, 6> OPERATIONS{{
    {"sum", ReductionOperation::SUM},
    {"prod", ReductionOperation::PROD},
    {"max", ReductionOperation::MAX},
    {"min", ReductionOperation::MIN},
    {"avg", ReductionOperation::AVG},
    {"mulsum", ReductionOperation::MUL_SUM},
}};

} // namespace

CollectiveBenchOptions::CollectiveBenchOptions()
    : CollectiveOptions("Times collectives on a simulated GPU cluster, as nccl-tests does on a "
                        "real one.",
                        "single-server",
                        "Dcqcn",
                        "collective-bench-out")
{
    Add("collective", "operation: " + NcclTest::DescribeNames(), "all_reduce");
    AddNcclOptions();
    Add("skew",
        "of alltoallv: all ranks have 1/k as much for the kth rank as for the first, to this power "
        "(Zipf); 0: even",
        "1");
    Add("shares",
        "of alltoallv, instead of --skew: file with a line for each rank, a number for each rank "
        "in it");
    Add("algorithm", "name of the algorithm, such as Ring; empty: the selector chooses");
    Add("compare",
        "algorithm: all algorithms that can do it side by side, or those that --algorithm names "
        "with commas; protocol: the same of protocols; algorithm,protocol: every pair");
    Add("messages", "record every message from rank to rank in table flows", "false");
    AddCollectives();
    AddSeries();
}

void
CollectiveBenchOptions::AddNcclOptions()
{
    for (const NcclOption& option : NCCL_OPTIONS)
    {
        const bool isType = option.letter == 'd';
        Add(option.name,
            option.help + (isType ? NcclType::DescribeNames() : std::string()),
            option.value);
        AddLetter(option.letter, option.name);
    }
}

NcclSizeRange
CollectiveBenchOptions::ReadSizes() const
{
    NcclSizeRange sizes;
    sizes.min = ReadNcclBytes(GetValue("minbytes"));
    sizes.max = ReadNcclBytes(GetValue("maxbytes"));
    if (sizes.min > sizes.max)
    {
        GetValue("maxbytes").Fail("at least --minbytes, " + Get("minbytes"));
    }
    if (IsGiven("stepbytes"))
    {
        if (IsGiven("stepfactor"))
        {
            GetValue("stepbytes").Fail("this or --stepfactor, not both");
        }
        sizes.step = ReadNcclBytes(GetValue("stepbytes"));
        if (sizes.step == 0)
        {
            GetValue("stepbytes").Fail("1 or more");
        }
    }
    else
    {
        sizes.factor = GetValue("stepfactor").GetUint("factor", 2, MAX_FACTOR);
    }
    if (sizes.min == 0 && sizes.factor > 0 && sizes.max > 0)
    {
        GetValue("minbytes")
            .Fail("1 or more: no factor makes 0 larger (--stepbytes goes up from 0)");
    }
    if (sizes.GetCount() > NcclSizeRange::MAX_COUNT)
    {
        GetValue("stepbytes")
            .Fail("a step with which there are at most " +
                  std::to_string(NcclSizeRange::MAX_COUNT) + " sizes");
    }
    return sizes;
}

void
CollectiveBenchOptions::ReadGpus(CollectiveBenchRunOptions& run) const
{
    run.threads = static_cast<uint32_t>(GetValue("nthreads").GetUint("threads", 1, MAX_GPUS));
    if (!Get("ngpus").empty() || IsGiven("ngpus"))
    {
        run.gpus = static_cast<uint32_t>(GetValue("ngpus").GetUint("GPUs", 1, MAX_GPUS));
    }
    else if (IsGiven("nthreads"))
    {
        run.gpus = 1;
    }
}

void
CollectiveBenchOptions::ReadShares(CollectiveBenchRunOptions& run) const
{
    for (const char* const name : {"skew", "shares"})
    {
        if (IsGiven(name) && !run.test.isUneven)
        {
            GetValue(name).Fail("--collective=alltoallv beside it: " + run.test.name +
                                " has the same size for all");
        }
    }
    if (IsGiven("skew") && IsGiven("shares"))
    {
        GetValue("shares").Fail("this or --skew, not both");
    }
    if (IsGiven("shares") && Get("shares").empty())
    {
        GetValue("shares").Fail("a file");
    }
    run.skew = GetValue("skew").GetDouble("exponent", 0, SizeShares::MAX_EXPONENT);
    run.shares = Get("shares");
}

bool
CollectiveBenchOptions::Compares(std::string_view what) const
{
    const std::vector<std::string_view> words = SplitList(Get("compare"));
    return std::find(words.begin(), words.end(), what) != words.end();
}

bool
CollectiveBenchOptions::ComparesProtocols() const
{
    return Compares("protocol");
}

void
CollectiveBenchOptions::ReadContest(CollectiveBenchRunOptions& run) const
{
    CollectiveContest& contest = run.contest;
    contest.isOfAlgorithms = Compares("algorithm");
    contest.isOfProtocols = Compares("protocol");
    const std::size_t known = (contest.isOfAlgorithms ? 1 : 0) + (contest.isOfProtocols ? 1 : 0);
    if (IsGiven("compare") && (known == 0 || SplitList(Get("compare")).size() != known))
    {
        GetValue("compare").Fail("algorithm, protocol or algorithm,protocol");
    }
    for (const std::string_view name : SplitList(Get("algorithm")))
    {
        contest.algorithms.emplace_back(name);
    }
    if (contest.algorithms.size() > 1 && !contest.isOfAlgorithms)
    {
        GetValue("algorithm").Fail("one algorithm, or several with --compare=algorithm");
    }
    contest.protocols = ReadProtocols();
}

void
CollectiveBenchOptions::NoteDirect(CollectiveBenchRunOptions& run) const
{
    for (const char* const name : {"NCCL_ALGO", "NCCL_PROTO"})
    {
        if (IsGiven(name) && !NcclNames::HasAlgorithms(run.test.kind))
        {
            run.notes.push_back(std::string(name) + " has no effect on " + run.test.name +
                                ", which NCCL sends directly");
        }
    }
}

void
CollectiveBenchOptions::ReadOperation(CollectiveBenchRunOptions& run) const
{
    run.operation = Get("op");
    const auto* const found =
        std::find_if(OPERATIONS.begin(), OPERATIONS.end(), [&](const auto& operation) {
            return operation.first == run.operation;
        });
    if (found == OPERATIONS.end())
    {
        GetValue("op").Fail("one of sum, prod, max, min, avg, mulsum");
    }
    run.reduction = {run.type.element, found->second};
}

CollectiveBenchRunOptions
CollectiveBenchOptions::MakeRun() const
{
    CollectiveBenchRunOptions run;
    run.defaults = Apply();
    run.notes = ApplyCollectives(*run.defaults);
    FillRun(run);
    FillSeries(run);
    RequireSeriesInUse(run);
    run.test = NcclTest::Find(GetValue("collective"));
    run.sizes = ReadSizes();
    run.type = NcclType::Find(GetValue("datatype"));
    ReadOperation(run);
    run.root = static_cast<uint32_t>(GetValue("root").GetUint("root", 0, MAX_GPUS));
    ReadShares(run);
    ReadGpus(run);
    run.iterations =
        static_cast<uint32_t>(GetValue("iters").GetUint("iterations", 1, MAX_ITERATIONS));
    run.warmUps =
        static_cast<uint32_t>(GetValue("warmup_iters").GetUint("iterations", 0, MAX_ITERATIONS));
    run.isBlocking = GetValue("blocking").GetUint("blocking", 0, 1) > 0;
    run.check = GetValue("check").GetUint("check", 0, MAX_ITERATIONS) > 0;
    run.messages = GetValue("messages").GetBool("messages");
    ReadContest(run);
    NoteDirect(run);
    return run;
}

} // namespace ns3
