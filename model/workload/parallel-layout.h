/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PARALLEL_LAYOUT_H
#define PARALLEL_LAYOUT_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief A way to divide all ranks into groups. */
enum class GroupFamily : uint8_t
{
    TP,           //!< tensor parallel: neighbours in rank
    DP,           //!< data parallel: same tensor part, same pipeline stage
    EP,           //!< expert parallel: a run of expertParallel ranks inside a DP group
    DP_EP,        //!< ranks of a DP group that hold the same experts
    PP,           //!< one rank of every pipeline stage
    EMBEDDING,    //!< first and last stage of a PP group, which share tied embeddings
    WORLD,        //!< all ranks
    SERVER,       //!< ranks of a server
    CROSS_SERVER, //!< ranks at the same place of every server
};

/** \ingroup railyard \brief Number of GroupFamily values. */
inline constexpr std::size_t GROUP_FAMILY_COUNT = 9;

/**
 * \ingroup railyard
 * \param family a family of groups
 * \return its name: "TP", "DP", "EP", "DP_EP", "PP", "EMBEDDING", "WORLD", "SERVER" or
 * "CROSS_SERVER"
 */
const char* GetGroupFamilyName(GroupFamily family);

/** \ingroup railyard \brief Ranks that communicate with each other. */
struct ParallelGroup
{
    GroupFamily family{GroupFamily::WORLD}; //!< what the group is for
    uint32_t index{0};                      //!< which of the groups of its family
    std::vector<uint32_t> ranks;            //!< members, ascending

    /** \return family and index, such as "DP[3]" */
    std::string GetLabel() const;
};

/** \ingroup railyard \brief The degrees of parallelism. */
struct ParallelSizes
{
    uint32_t ranks{1};            //!< ranks in all
    uint32_t tensorParallel{1};   //!< ranks of a tensor parallel group
    uint32_t pipelineParallel{1}; //!< pipeline stages
    uint32_t expertParallel{1};   //!< ranks of an expert parallel group
    uint32_t ranksPerServer{0};   //!< ranks in a server, 0 if unknown
};

/**
 * \ingroup railyard
 * \brief Which rank belongs to which groups.
 *
 * Ranks are ordered as Megatron-LM orders them by default ("tp-cp-ep-dp-pp" without context
 * parallelism): the tensor index is fastest, then the data index, whose fast part is the expert
 * index, and the pipeline stage is slowest:
 *
 *     rank = (stage * dp + data) * tp + tensor,   dp = ranks / (tp * pp)
 *     expert group of a rank: data / ep;  experts that it holds: data % ep
 *
 * Expert groups lie inside the data parallel dimension for every tp, 1 included.
 * SERVER and CROSS_SERVER groups exist where ranksPerServer divides the ranks (or is at least the
 * number of ranks, which then are one server).
 */
class ParallelLayout
{
  public:
    /** One rank. */
    ParallelLayout();

    /**
     * \param sizes degrees of parallelism
     * \param source file they come from; a ConfigError names it if they do not fit each other
     */
    ParallelLayout(const ParallelSizes& sizes, const std::string& source);

    /** \return the degrees of parallelism */
    const ParallelSizes& GetSizes() const;

    /** \return the size of a data parallel group */
    uint32_t GetDataParallel() const;

    /** \return the number of ranks of a pipeline stage */
    uint32_t GetRanksPerStage() const;

    /**
     * \param rank a rank
     * \return its pipeline stage
     */
    uint32_t GetStage(uint32_t rank) const;

    /**
     * \param rank a rank
     * \param offset number of stages to go forward (negative: back)
     * \return the rank at the same place of that stage
     */
    uint32_t GetPipelinePeer(uint32_t rank, int32_t offset) const;

    /** \return all groups, families in order */
    const std::vector<ParallelGroup>& GetGroups() const;

    /**
     * \param family a family
     * \return true if it has groups
     */
    bool HasFamily(GroupFamily family) const;

    /**
     * \param family a family that has groups
     * \param rank a rank
     * \return the rank's group, as index into GetGroups()
     */
    uint32_t GetGroup(GroupFamily family, uint32_t rank) const;

  private:
    /**
     * Checks that the sizes fit each other.
     * \param source file they come from
     */
    void Check(const std::string& source) const;

    /** \param family a family, whose groups are appended to m_groups */
    void AddFamily(GroupFamily family);

    /**
     * \param family a family
     * \param rank a rank
     * \return index of the rank's group within the family
     */
    uint32_t GetIndexInFamily(GroupFamily family, uint32_t rank) const;

    ParallelSizes m_sizes;                                               //!< degrees of parallelism
    std::vector<ParallelGroup> m_groups;                                 //!< all groups, by family
    std::array<std::vector<uint32_t>, GROUP_FAMILY_COUNT> m_groupOfRank; //!< group by rank
};

} // namespace ns3

#endif /* PARALLEL_LAYOUT_H */
