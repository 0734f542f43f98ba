/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_EVENT_H
#define FABRIC_EVENT_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief An intrusive event: a member of the object it concerns, scheduled without allocation.
 *
 * An event that is pending must not be scheduled again and cannot be cancelled: its handler looks
 * whether it still has something to do.
 */
struct FabricEvent
{
    /** What runs when the event is due. */
    using Handler = void (*)(FabricEvent*);
    /** What fetches memory that the handler will read: stage 0 what the event's owner points to,
     * stage 1 what that points to, and so on below STAGES. It changes nothing. */
    using Fetcher = void (*)(const FabricEvent*, uint32_t stage);

    static constexpr uint32_t STAGES = 3; //!< of a Fetcher

    uint64_t ts{0};            //!< due time, ticks
    uint64_t sequence{0};      //!< order among events due at the same time
    Handler handler{nullptr};  //!< what runs
    const void* hint{nullptr}; //!< memory that the handler reads first, fetched ahead; may be null
    Fetcher fetch{nullptr};    //!< called ahead of the handler, if not null
    uint32_t context{0};       //!< node in whose context it runs
};

/**
 * \ingroup fabric
 * \brief A FabricEvent that calls one method of its owner.
 * \tparam T the owner
 * \tparam Method the method, without arguments
 */
template <typename T, void (T::*Method)()>
struct MemberEvent : FabricEvent
{
    T* owner{nullptr}; //!< whose method runs

    /** \param object whose method runs */
    explicit MemberEvent(T* object)
        : owner(object)
    {
        handler = [](FabricEvent* event) {
            T* self = static_cast<MemberEvent*>(event)->owner;
            (self->*Method)();
        };
    }
};

} // namespace ns3

#endif /* FABRIC_EVENT_H */
