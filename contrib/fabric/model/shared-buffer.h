/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SHARED_BUFFER_H
#define SHARED_BUFFER_H

#include "fabric-port.h"

#include "ns3/assert.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief Sizes and thresholds of a SharedBuffer. */
struct SharedBufferParameters
{
    uint64_t totalBytes{0};      //!< whole packet memory
    uint64_t reservedBytes{0};   //!< guaranteed to each lossless (port, class)
    uint64_t resumeOffset{0};    //!< a paused class resumes this far below its threshold, bytes
    double alpha{0.125};         //!< dynamic threshold of lossless ingress: alpha * free
    double egressAlpha{1.0};     //!< dynamic threshold of lossy egress queues: egressAlpha * free
    uint32_t losslessMask{0};    //!< bit per class that must not lose frames
    std::vector<uint64_t> headroomBytes; //!< by port: kept for what still comes after a pause

    /**
     * \param ports number of ports
     * \return headroom and reserve of all lossless classes, which leave the shared pool the rest,
     * bytes; the largest number if it is larger still
     */
    uint64_t GetFixedBytes(uint32_t ports) const;
};

/**
 * \ingroup fabric
 * \brief Admission to the packet memory of a switch: reserved, shared, headroom.
 *
 * A lossless frame is charged to its ingress (port, class): first to what is reserved there, then
 * to the shared pool while the class holds at most T = alpha * (pool - used) or is not paused yet,
 * then to the headroom of the port; what finds no room there is lost. A class asks for a pause when
 * it reaches T and for its end when its headroom is empty and it is resumeOffset below T again.
 * So the frame that causes a pause takes nothing from the headroom, all of which is left for what
 * comes before the pause is obeyed; only a pool that is full to the last frame breaks this rule.
 * With N classes that are full for ever T = alpha * pool / (1 + alpha * N) (Choudhury and Hahne,
 * dynamic queue length thresholds, ToN 1998). A lossy frame is refused when its egress queue holds
 * egressAlpha * (pool - used) or the pool is full.
 */
class SharedBuffer
{
  public:
    static constexpr uint32_t CLASSES = FabricPort::CLASSES; //!< classes per port

    /**
     * Starts empty.
     * \param parameters sizes; headroom and reserve of all lossless classes must fit
     * \param ports number of ports
     */
    void Configure(const SharedBufferParameters& parameters, uint32_t ports);

    /** \param priority a class \return whether it is lossless */
    bool IsLossless(uint32_t priority) const
    {
        return m_parameters.losslessMask >> priority & 1;
    }

    /**
     * Charges a lossless frame to the shared pool if no pause is in sight, even if the occupancies
     * known here are larger than the true ones; does nothing otherwise.
     * \param port ingress port
     * \param priority lossless class
     * \param bytes size of the frame
     * \return whether it is charged
     */
    bool AdmitIfRoomy(uint32_t port, uint32_t priority, uint64_t bytes)
    {
        Group& group = m_groups[port * CLASSES + priority];
        const uint64_t share = SharedPart(group.occupied + bytes);
        if (group.headroom || group.paused ||
            static_cast<double>(share) >=
                m_parameters.alpha *
                    (static_cast<double>(m_pool) - static_cast<double>(m_used + bytes)))
        {
            return false;
        }
        m_used += share - SharedPart(group.occupied);
        group.occupied += bytes;
        return true;
    }

    /**
     * Charges a lossless frame. The caller then asks ShouldPause() and says SetPaused().
     * \param port ingress port
     * \param priority class
     * \param bytes size
     * \return false if there is no room: the frame is lost
     */
    bool AdmitLossless(uint32_t port, uint32_t priority, uint64_t bytes);

    /**
     * Charges a lossy frame.
     * \param port ingress port
     * \param priority class
     * \param bytes size
     * \param queueBytes bytes in its egress queue
     * \return false if it is refused
     */
    bool AdmitLossy(uint32_t port, uint32_t priority, uint64_t bytes, uint64_t queueBytes);

    /**
     * A frame left the memory.
     * \param port ingress port
     * \param priority class
     * \param bytes size
     */
    void Release(uint32_t port, uint32_t priority, uint64_t bytes)
    {
        Group& group = m_groups[port * CLASSES + priority];
        if (group.headroom | m_parameters.reservedBytes)
        {
            ReleaseParts(group, priority, bytes);
            return;
        }
        NS_ASSERT_MSG(group.occupied >= bytes, "a frame leaves twice");
        group.occupied -= bytes;
        m_used -= bytes;
    }

    /** \param port ingress port \param priority class \return whether a pause is due */
    bool ShouldPause(uint32_t port, uint32_t priority) const;
    /** \param port ingress port \param priority class \return whether the pause should end */
    bool ShouldResume(uint32_t port, uint32_t priority) const;

    /** \param port ingress port \param priority class \return whether it is paused */
    bool IsPaused(uint32_t port, uint32_t priority) const
    {
        return m_groups[port * CLASSES + priority].paused;
    }

    /** \param port ingress port \param priority class \param paused whether it is paused */
    void SetPaused(uint32_t port, uint32_t priority, bool paused);

    /** \return number of paused (port, class) */
    uint32_t GetPausedCount() const
    {
        return m_pausedCount;
    }

    /** \return present threshold of a lossless class, bytes of the shared pool */
    double GetThreshold() const
    {
        return m_parameters.alpha * (static_cast<double>(m_pool) - static_cast<double>(m_used));
    }

    /** \param port ingress port \param priority class \return bytes held, headroom included */
    uint64_t GetOccupied(uint32_t port, uint32_t priority) const
    {
        return m_groups[port * CLASSES + priority].occupied;
    }

    /** \param port ingress port \param priority class \return bytes held in the headroom */
    uint64_t GetHeadroomUsed(uint32_t port, uint32_t priority) const
    {
        return m_groups[port * CLASSES + priority].headroom;
    }

    /** \return bytes of the shared pool in use */
    uint64_t GetUsed() const
    {
        return m_used;
    }

    /** \return size of the shared pool, bytes */
    uint64_t GetPool() const
    {
        return m_pool;
    }

  private:
    /** Account of an ingress (port, class). */
    struct Group
    {
        uint64_t occupied{0}; //!< bytes held, headroom included
        uint64_t headroom{0}; //!< of these, bytes in the headroom
        bool paused{false};   //!< the peer was told to pause
    };

    /** \param held bytes held outside the headroom \return what of it the shared pool holds */
    uint64_t SharedPart(uint64_t held) const
    {
        return held > m_parameters.reservedBytes ? held - m_parameters.reservedBytes : 0;
    }

    /**
     * Release(), where the headroom or the reserve may hold some of it.
     * \param group the account
     * \param priority its class
     * \param bytes size
     */
    void ReleaseParts(Group& group, uint32_t priority, uint64_t bytes);

    SharedBufferParameters m_parameters; //!< configuration
    uint64_t m_pool{0};                  //!< shared pool, bytes
    uint64_t m_used{0};                  //!< of it in use, bytes
    uint32_t m_pausedCount{0};           //!< paused groups
    std::vector<Group> m_groups;         //!< by port * CLASSES + class
};

} // namespace ns3

#endif /* SHARED_BUFFER_H */
