/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_PACKET_LIST_H
#define FABRIC_PACKET_LIST_H

#include "fabric-packet.h"

namespace ns3
{

/** \ingroup fabric \brief First-in first-out list of packets, linked through FabricPacket::next. */
struct FabricPacketList
{
    FabricPacket* head{nullptr}; //!< first
    FabricPacket* tail{nullptr}; //!< last

    /** \param packet appended */
    void PushBack(FabricPacket* packet)
    {
        packet->next = nullptr;
        (tail ? tail->next : head) = packet;
        tail = packet;
    }

    /** \return the first packet, removed; there must be one */
    FabricPacket* PopFront()
    {
        FabricPacket* packet = head;
        head = packet->next;
        if (!head)
        {
            tail = nullptr;
        }
        return packet;
    }

    /** \param front packets that go before all of this list's */
    void Prepend(const FabricPacketList& front)
    {
        if (front.head)
        {
            front.tail->next = head;
            head = front.head;
            tail = tail ? tail : front.tail;
        }
    }
};

} // namespace ns3

#endif /* FABRIC_PACKET_LIST_H */
