/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TURN_PORT_H
#define TURN_PORT_H

#include "ns3/fabric-timer.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief The links of a rank in one direction, where messages of several lanes take turns.
 *
 * Packets of lanes that have some take turns, so a port divides its rate evenly among messages of
 * many packets (processor sharing). A packet is not divided: messages of one packet go one after
 * another, as long as there are only such.
 *
 * Kept by virtual time (Parekh and Gallager, IEEE/ACM Trans. Networking 1(3), 1993): V is what
 * every message has been served since the port was last idle, and a message that comes at V ends at
 * V plus its own time. So a message costs the logarithm of those that are there.
 */
class TurnPort
{
  public:
    /** \brief Somebody who has one message at a time at a port. */
    class Client
    {
      public:
        virtual ~Client() = default;
        /** Its message begins. */
        virtual void Began() = 0;
        /** Its message has been served. */
        virtual void Served() = 0;
        /** Fetches what Served() touches beside it; changes nothing. */
        virtual void FetchForServed() const = 0;
    };

    /**
     * \param engine event engine, which must outlive the port
     * \param rateBps rate, above 0, bit/s
     */
    TurnPort(const FabricEngine& engine, uint64_t rateBps);

    TurnPort(const TurnPort&) = delete;
    TurnPort& operator=(const TurnPort&) = delete;

    /** \param context node id of the rank, in whose name clients are told from now on */
    void SetContext(uint32_t context)
    {
        m_timer.Bind(&m_engine, context);
    }

    /**
     * \param client is told, in events to come but for Began(), and must outlive the port's work
     * \param bytes of its message, on the wire
     * \param isPacket whether that is one packet
     */
    void Add(Client* client, uint64_t bytes, bool isPacket);

    /**
     * \param client who has a message here
     * \param bytes of it, on the wire
     * \return share of it that has not been served, 0 if it is not here
     */
    double GetShareUnserved(const Client* client, uint64_t bytes) const;

  private:
    /** Time or work, in 1 / FRACTION ticks. */
    using Work = unsigned __int128;
    /** So small a part of a tick that what is rounded away does not add up to one. */
    static constexpr Work FRACTION = 1U << 20;

    /** \brief A packet that waits for those before it. */
    struct Packet
    {
        Client* client; //!< whose it is
        Work work;      //!< that is left
    };

    /** \brief A message among those that are served at a time. */
    struct Sharer
    {
        Work end;        //!< virtual time at which it has been served
        uint64_t number; //!< of its coming, which decides among equals
        Client* client;  //!< whose it is

        /** \param o another one \return whether it ends later: the heap has the first in front */
        bool operator<(const Sharer& o) const
        {
            return end != o.end ? end > o.end : number > o.number;
        }
    };

    /** \param bytes on the wire \return time alone */
    Work GetWork(uint64_t bytes) const;
    /** \param now ticks, until when what is here is served */
    void Advance(uint64_t now);
    /** \param client joins those that are served at a time \param work of its message */
    void Share(Client* client, Work work);
    /** Sets the timer to the next end. */
    void Await();
    /** Something has been served. */
    void OnEnd();

    /** \param event of the timer, to come \param stage of FabricEvent::Fetcher */
    static void FetchForEnd(const FabricEvent* event, uint32_t stage);

    FabricTimer<TurnPort, &TurnPort::OnEnd> m_timer; //!< next end
    const FabricEngine& m_engine;     //!< event engine
    uint64_t m_rateBps;               //!< rate, bit/s
    Work m_workPerByte;               //!< of a byte at 1 bit/s
    uint64_t m_since{0};              //!< until when all is served, ticks
    Work m_virtual{0};                //!< what each sharer has been served since the last idle time
    Work m_credit{0};                 //!< served in the tick of m_since beyond what ended then
    uint64_t m_count{0};              //!< sharers so far
    std::deque<Packet> m_packets;     //!< the first is served; there are no sharers then
    std::vector<Sharer> m_sharers;    //!< heap
    std::vector<Client*> m_served;    //!< of the present event
};

} // namespace ns3

#endif /* TURN_PORT_H */
