/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef KERNEL_TIME_SOURCE_H
#define KERNEL_TIME_SOURCE_H

#include "kernel-key.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief How much a kernel time is worth. */
enum class KernelProvenance : uint8_t
{
    EXACT,        //!< measured for exactly this key
    INTERPOLATED, //!< from measurements of similar shapes, or from a fit to them
    ROOFLINE      //!< from the GPU's peak rates alone
};

/**
 * \ingroup railyard
 * \param provenance a provenance
 * \return "exact", "interpolated" or "roofline"
 */
const char* GetKernelProvenanceName(KernelProvenance provenance);

/** \ingroup railyard \brief The time of a kernel, and where it comes from. */
struct KernelTime
{
    Time time;                                               //!< duration, greater than 0
    KernelProvenance provenance{KernelProvenance::ROOFLINE}; //!< how much it is worth
    std::string note; //!< where from: source, distance, or what bounds the roofline
};

/** \ingroup railyard \brief Number of lookups by provenance. */
struct KernelProvenanceCounts
{
    uint64_t exact{0};        //!< EXACT answers
    uint64_t interpolated{0}; //!< INTERPOLATED answers
    uint64_t roofline{0};     //!< ROOFLINE answers
};

/** \ingroup railyard \brief A key that was asked for, its answer, and how often. */
struct KernelAnswer
{
    KernelKey key;     //!< as asked
    KernelTime answer; //!< as answered
    uint64_t count{0}; //!< number of lookups
};

/**
 * \ingroup railyard
 * \brief Says how long a kernel runs, and keeps account of what it said.
 *
 * A subclass with a TypeId answers in DoLookup(); asking again for the same key returns the same
 * answer. A source always answers with a time greater than 0 or throws ConfigError: no kernel is
 * silently free.
 */
class KernelTimeSource : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param key the kernel
     * \return its time; throws ConfigError for an unknown GPU, op, type or shape
     */
    const KernelTime& Lookup(const KernelKey& key);

    /** \return the number of lookups so far, by provenance */
    KernelProvenanceCounts GetCounts() const;

    /** \return every distinct key asked for so far, in the order of keys */
    std::vector<KernelAnswer> GetAnswers() const;

  protected:
    void DoDispose() override;

    /**
     * \param key the kernel
     * \return its time
     */
    virtual KernelTime DoLookup(const KernelKey& key) = 0;

    /** Forget the answers given, because what they came from changed. */
    void ForgetAnswers();

  private:
    /** \brief An answer and how often it was given. */
    struct Entry
    {
        KernelTime answer; //!< the answer
        uint64_t count;    //!< lookups
    };

    std::map<KernelKey, Entry> m_answers; //!< by key
};

} // namespace ns3

#endif /* KERNEL_TIME_SOURCE_H */
