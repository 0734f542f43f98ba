/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ACCURACY_DATA_H
#define ACCURACY_DATA_H

#include "ns3/collective-kind.h"
#include "ns3/collective-reduction.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief A collective that somebody has timed. */
struct MeasuredCollective
{
    std::string platform;                            //!< name of the platform
    CollectiveKind kind{CollectiveKind::ALL_REDUCE}; //!< what was done
    std::string type;                                //!< type of the elements
    uint32_t elementBytes{0};                        //!< bytes of an element
    ElementType elementType{ElementType::UNSPECIFIED}; //!< type, as collectives know it
    uint32_t nodes{1};                               //!< servers
    uint32_t gpus{0};                                //!< ranks, evenly over the servers
    uint64_t bytes{0};                               //!< size as nccl-tests counts it
    std::string algorithm;                           //!< that was forced, empty for none
    double microseconds{0};                          //!< mean time
    std::string source;                              //!< file and line
};

/**
 * \ingroup railyard
 * \brief Tables of timed collectives (CSV): ours (validation/collectives.csv), and two that others
 * keep, told apart by their columns (doc/formats/accuracy.md).
 */
class AccuracyData
{
  public:
    /** \param path a table; adds its rows. A ConfigError names file, line and what was expected */
    void Load(const std::string& path);

    /** \return the rows that can be used */
    const std::vector<MeasuredCollective>& GetRows() const
    {
        return m_rows;
    }

    /** \return number of rows that cannot be used, by reason */
    const std::map<std::string, uint64_t>& GetSkipped() const
    {
        return m_skipped;
    }

  private:
    std::vector<MeasuredCollective> m_rows;    //!< rows that can be used
    std::map<std::string, uint64_t> m_skipped; //!< others, by reason
};

} // namespace ns3

#endif /* ACCURACY_DATA_H */
