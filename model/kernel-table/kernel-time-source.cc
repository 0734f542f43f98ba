/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "kernel-time-source.h"

#include "ns3/assert.h"

namespace ns3
{

const char*
GetKernelProvenanceName(KernelProvenance provenance)
{
    switch (provenance)
    {
    case KernelProvenance::EXACT:
        return "exact";
    case KernelProvenance::INTERPOLATED:
        return "interpolated";
    default:
        return "roofline";
    }
}

NS_OBJECT_ENSURE_REGISTERED(KernelTimeSource);

TypeId
KernelTimeSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::KernelTimeSource").SetParent<Object>().SetGroupName("Railyard");
    return tid;
}

void
KernelTimeSource::DoDispose()
{
    m_answers.clear();
    Object::DoDispose();
}

const KernelTime&
KernelTimeSource::Lookup(const KernelKey& key)
{
    auto it = m_answers.find(key);
    if (it == m_answers.end())
    {
        it = m_answers.emplace(key, Entry{DoLookup(key), 0}).first;
        NS_ASSERT_MSG(it->second.answer.time.IsStrictlyPositive(), key.ToString() << " is free");
    }
    ++it->second.count;
    return it->second.answer;
}

KernelProvenanceCounts
KernelTimeSource::GetCounts() const
{
    KernelProvenanceCounts counts;
    for (const auto& [key, entry] : m_answers)
    {
        switch (entry.answer.provenance)
        {
        case KernelProvenance::EXACT:
            counts.exact += entry.count;
            break;
        case KernelProvenance::INTERPOLATED:
            counts.interpolated += entry.count;
            break;
        case KernelProvenance::ROOFLINE:
            counts.roofline += entry.count;
            break;
        }
    }
    return counts;
}

std::vector<KernelAnswer>
KernelTimeSource::GetAnswers() const
{
    std::vector<KernelAnswer> answers;
    answers.reserve(m_answers.size());
    for (const auto& [key, entry] : m_answers)
    {
        answers.push_back({key, entry.answer, entry.count});
    }
    return answers;
}

void
KernelTimeSource::ForgetAnswers()
{
    m_answers.clear();
}

} // namespace ns3
