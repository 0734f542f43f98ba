/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_READER_H
#define WORKLOAD_READER_H

#include "ns3/object.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/workload-program.h"

#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Reads workloads of one file format.
 *
 * Every registered, constructible subclass takes part in ReadFile(): a new format is a new class.
 */
class WorkloadReader : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * Reads a file with the reader that recognises it.
     * \param path file
     * \param cluster cluster that the workload is to run on
     * \return what the ranks do; a ConfigError if the file is missing, of no known format, wrong,
     * or does not fit the cluster
     */
    static Workload ReadFile(const std::string& path, const WorkloadCluster& cluster);

    /**
     * \param head the first bytes of a file
     * \return true if the file has this reader's format, right or wrong in detail
     */
    virtual bool Recognises(const std::string& head) const = 0;

    /** \return how a file of this format begins, as a phrase */
    virtual std::string DescribeFormat() const = 0;

    /**
     * \param path file
     * \param cluster cluster that the workload is to run on
     * \return what the ranks do; a ConfigError if the file is wrong or does not fit the cluster
     */
    virtual Workload Read(const std::string& path, const WorkloadCluster& cluster) const = 0;

    /** \return whether attributes can change layout and batch that a file asks for */
    virtual bool HasLayout() const;

  protected:
    uint64_t m_tensor{0};      //!< tensor parallel size, 0: as in the file
    uint64_t m_pipeline{0};    //!< pipeline stages, 0: as in the file
    uint64_t m_data{0};        //!< data parallel size, 0: as in the file
    uint64_t m_microBatch{0};  //!< sequences of a micro-batch, 0: as in the file
    uint64_t m_globalBatch{0}; //!< sequences of an iteration, 0: as in the file

    /** \return the schedule that the attribute PipelineSchedule names */
    Ptr<PipelineSchedule> CreateSchedule() const;

  private:
    /** \return whether an attribute changes layout or batch */
    bool ChangesLayout() const;

    TypeId m_schedule; //!< class of the schedule
};

} // namespace ns3

#endif /* WORKLOAD_READER_H */
