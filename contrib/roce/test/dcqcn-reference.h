/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DCQCN_REFERENCE_H
#define DCQCN_REFERENCE_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <queue>
#include <random>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \brief DCQCN at one bottleneck, written down a second time and as plainly as can be: own event
 * loop, double seconds, eager timers, no NIC and no switch. All delays are lumped between marking
 * and reaction.
 *
 * Equations: Zhu et al., SIGCOMM 2015, section 3.1 (congestion point, notification point, reaction
 * point), with the paper's constants.
 */
class DcqcnReference
{
  public:
    /** What is played. */
    struct Setting
    {
        double rateBps;     //!< of the bottleneck
        uint32_t flows;     //!< with data without end
        double packetBytes; //!< on the wire
        double delay;       //!< from a mark to the change of rate at the queue, s
        double kmin;        //!< bytes
        double kmax;        //!< bytes
        double pmax;        //!< at kmax
        double increaseBps; //!< additive increase
        double duration;    //!< s
        bool settled{true}; //!< flows begin near the fixed point, and the last two thirds are
                            //!< measured; or at the bottleneck's rate with alpha 1, and all is
        uint64_t seed{1};   //!< of marks and phases
    };

    /** What is measured. */
    struct Figures
    {
        double queueBytes{0};  //!< mean over time, without the packet that is leaving
        double utilisation{0}; //!< of the bottleneck
    };

    /** \param setting what is played \return what is measured */
    static Figures Play(const Setting& setting)
    {
        DcqcnReference model(setting);
        return model.Run();
    }

  private:
    static constexpr double CNP_INTERVAL = 50e-6; //!< least time between CNPs of a flow, s
    static constexpr double TIMER = 55e-6;        //!< of increases and of alpha, s
    static constexpr double COUNTER = 10e6;       //!< of increases, bytes
    static constexpr double GAIN = 1.0 / 256;     //!< of alpha
    static constexpr int STAGES = 5;              //!< of fast recovery

    /** What happens. */
    enum class Kind
    {
        SEND,
        LEAVE,
        CNP,
        INCREASE,
        ALPHA
    };

    /** When it happens, to which flow. */
    struct Event
    {
        double when;
        Kind kind;
        uint32_t flow;

        bool operator<(const Event& o) const
        {
            return when > o.when;
        }
    };

    /** A sender with its receiver. */
    struct Flow
    {
        double current;        //!< R_C, bit/s
        double target;         //!< R_T, bit/s
        double alpha{1};       //!< 0.15 is near its fixed point
        double bytes{0};       //!< since the last step of the counter
        int timerStage{0};     //!< T
        int counterStage{0};   //!< BC
        double timerDue{0};    //!< s
        double alphaDue{0};    //!< s
        double lastCnp{-1};    //!< s
        bool marked{false};    //!< since the last CNP
    };

    explicit DcqcnReference(const Setting& setting)
        : m_setting(setting),
          m_flows(setting.flows),
          m_random(setting.seed)
    {
        const double share = setting.rateBps / (setting.settled ? setting.flows : 1);
        for (uint32_t i = 0; i < setting.flows; i++)
        {
            Flow& flow = m_flows[i];
            flow.current = flow.target = share;
            flow.alpha = setting.settled ? 0.15 : 1;
            flow.bytes = setting.settled ? Draw() * COUNTER : 0;
            m_events.push({Draw() * 8 * setting.packetBytes / share, Kind::SEND, i});
            Restart(i, Draw() * TIMER);
        }
    }

    /** \return a number from 0 to 1 */
    double Draw()
    {
        return static_cast<double>(m_random() >> 11) / 9007199254740992.0;
    }

    Figures Run()
    {
        const double begin = m_setting.settled ? m_setting.duration / 3 : 0;
        double area = 0;
        double last = begin;
        uint64_t left = 0;
        while (m_events.top().when < m_setting.duration)
        {
            const Event event = m_events.top();
            m_events.pop();
            if (event.when > begin)
            {
                area += static_cast<double>(m_queue.size()) * (event.when - last);
                last = event.when;
                left += event.kind == Kind::LEAVE;
            }
            Handle(event);
        }
        const double window = m_setting.duration - begin;
        const double bits = 8 * m_setting.packetBytes;
        return {area / window * m_setting.packetBytes,
                static_cast<double>(left) * bits / window / m_setting.rateBps};
    }

    void Handle(const Event& event)
    {
        Flow& flow = m_flows[event.flow];
        switch (event.kind)
        {
        case Kind::SEND:
            Send(event.when, event.flow);
            break;
        case Kind::LEAVE:
            Leave(event.when);
            break;
        case Kind::CNP:
            flow.target = flow.current;
            flow.current *= 1 - flow.alpha / 2;
            flow.alpha = (1 - GAIN) * flow.alpha + GAIN;
            flow.bytes = 0;
            flow.timerStage = flow.counterStage = 0;
            Restart(event.flow, event.when + TIMER);
            break;
        case Kind::INCREASE:
            if (event.when == flow.timerDue)
            {
                flow.timerStage++;
                Increase(flow);
                flow.timerDue = event.when + TIMER;
                m_events.push({flow.timerDue, Kind::INCREASE, event.flow});
            }
            break;
        case Kind::ALPHA:
            if (event.when == flow.alphaDue)
            {
                flow.alpha *= 1 - GAIN;
                flow.alphaDue = event.when + TIMER;
                m_events.push({flow.alphaDue, Kind::ALPHA, event.flow});
            }
            break;
        }
    }

    void Restart(uint32_t i, double due)
    {
        m_flows[i].timerDue = m_flows[i].alphaDue = due;
        m_events.push({due, Kind::INCREASE, i});
        m_events.push({due, Kind::ALPHA, i});
    }

    void Send(double now, uint32_t i)
    {
        Flow& flow = m_flows[i];
        m_queue.push_back(i);
        if (!m_busy)
        {
            Serve(now);
        }
        flow.bytes += m_setting.packetBytes;
        if (flow.bytes >= COUNTER)
        {
            flow.bytes -= COUNTER;
            flow.counterStage++;
            Increase(flow);
        }
        m_events.push({now + 8 * m_setting.packetBytes / flow.current, Kind::SEND, i});
    }

    /** The first packet's first bit leaves: it is marked, and its receiver hears of it. */
    void Serve(double now)
    {
        const uint32_t i = m_queue.front();
        m_queue.pop_front();
        m_busy = true;
        m_events.push({now + 8 * m_setting.packetBytes / m_setting.rateBps, Kind::LEAVE, i});
        const double length = static_cast<double>(m_queue.size()) * m_setting.packetBytes;
        double probability = length > m_setting.kmax ? 1 : 0;
        if (length > m_setting.kmin && length <= m_setting.kmax)
        {
            probability =
                m_setting.pmax * (length - m_setting.kmin) / (m_setting.kmax - m_setting.kmin);
        }
        Flow& flow = m_flows[i];
        flow.marked = flow.marked || Draw() < probability;
        if (flow.marked && now - flow.lastCnp >= CNP_INTERVAL)
        {
            flow.marked = false;
            flow.lastCnp = now;
            m_events.push({now + m_setting.delay, Kind::CNP, i});
        }
    }

    void Leave(double now)
    {
        m_busy = false;
        if (!m_queue.empty())
        {
            Serve(now);
        }
    }

    void Increase(Flow& flow) const
    {
        const int least = std::min(flow.timerStage, flow.counterStage);
        if (least > STAGES)
        {
            flow.target += 5 * (least - STAGES) * m_setting.increaseBps; // R_HAI = 5 R_AI
        }
        else if (std::max(flow.timerStage, flow.counterStage) >= STAGES)
        {
            flow.target += m_setting.increaseBps;
        }
        flow.target = std::min(flow.target, m_setting.rateBps);
        flow.current = (flow.target + flow.current) / 2;
    }

    Setting m_setting;                    //!< what is played
    std::vector<Flow> m_flows;            //!< by number
    std::priority_queue<Event> m_events;  //!< to come
    std::deque<uint32_t> m_queue;         //!< flows of the packets that wait
    bool m_busy{false};                   //!< a packet is leaving
    std::mt19937_64 m_random;             //!< marks and phases
};

} // namespace ns3

#endif /* DCQCN_REFERENCE_H */
