/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * RDMA in a lossless class and TCP in a lossy class of the same NICs, links and switches. Every
 * host but the first sends the first one an RDMA message, or a file by TCP, or both: three runs of
 * the same network, side by side. DCTCP instead of NewReno:
 *
 *     --tcp=TcpDctcp --ns3::TcpSocketBase::UseEcn=On
 */
#include "ns3/bulk-send-helper.h"
#include "ns3/command-options.h"
#include "ns3/config-error.h"
#include "ns3/dscp-map.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/result-exit-status.h"
#include "ns3/roce-address.h"
#include "ns3/roce-internet-helper.h"
#include "ns3/roce-message-transport.h"
#include "ns3/scoped-defaults.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/text-value.h"
#include "ns3/topology-loader.h"
#include "ns3/type-catalogue.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** What a run found. */
struct Findings
{
    Time rdmaMean;                                         //!< completion of an RDMA message, mean
    Time rdmaLast;                                         //!< the same, of the last one
    Time tcpLast;                                          //!< when the last byte of TCP came
    std::array<uint64_t, FabricPort::PRIORITIES> drops{};  //!< by class
    std::array<uint64_t, FabricPort::PRIORITIES> marks{};  //!< by class
    std::array<uint64_t, FabricPort::PRIORITIES> pauses{}; //!< frames sent, by class
};

/** Traffic classes at switches. */
struct Classes
{
    uint32_t tcp{0};  //!< of TCP
    uint32_t rdma{0}; //!< of RDMA

    /** \return each class, with whose it is */
    std::vector<std::pair<uint32_t, std::string>> GetAll() const
    {
        if (tcp == rdma)
        {
            return {{tcp, "TCP, RDMA"}};
        }
        return {{tcp, "TCP"}, {rdma, "RDMA"}};
    }
};

/** \param device a NIC or switch \param kind its type \return its map of DSCPs and classes */
DscpMap
GetDscpMap(const FabricDevice& device, const std::string& kind)
{
    StringValue text;
    device.GetAttribute("DscpMap", text);
    return {text.Get(), kind + "::DscpMap", device.GetName()};
}

/** The network with its traffic. */
class Run : private MessageEndpoint
{
  public:
    /** \param topology the cluster */
    explicit Run(const Topology& topology)
        : m_context(Create<FabricContext>()),
          m_transport(CreateObject<RoceMessageTransport>())
    {
        m_nodes.Create(topology.nodes.size());
        m_fabric = RoceHelper().Install(topology, m_nodes, m_context);
        m_fabric.AssignStreams(1);
        m_transport->SetNics(m_fabric.nics, m_fabric.routes);
        RoceInternetHelper ip;
        const NetDeviceContainer devices = ip.Install(m_fabric);
        InternetStackHelper stack;
        for (uint32_t i = 0; i < devices.GetN(); i++)
        {
            stack.Install(devices.Get(i)->GetNode());
        }
        ip.AssignAddresses(devices);
    }

    ~Run() override
    {
        m_transport->Dispose();
    }

    /** \return hosts that send to rank 0: those with a NIC of their own and a path */
    std::vector<uint32_t> GetSenders() const
    {
        std::vector<uint32_t> senders;
        for (uint32_t rank = 1; rank < m_fabric.nics.size(); rank++)
        {
            const Ptr<RoceNicDevice>& nic = m_fabric.nics[rank];
            if (nic && nic->GetRank() == rank && m_transport->CanReach(rank, 0))
            {
                senders.push_back(rank);
            }
        }
        return senders;
    }

    /** \param src sending rank \param bytes of the message to rank 0 */
    void SendRdma(uint32_t src, uint64_t bytes)
    {
        m_rdmaWanted += bytes;
        Message message;
        message.src = src;
        message.bytes = bytes;
        m_transport->SetEndpoint(0, this);
        m_transport->Send(message);
    }

    /** \param src sending rank \param bytes of the file to rank 0 */
    void SendTcp(uint32_t src, uint64_t bytes)
    {
        constexpr uint16_t firstPort = 5000;
        const std::string tcp = "ns3::TcpSocketFactory";
        const uint16_t port = firstPort + src;
        m_tcpWanted += bytes;
        PacketSinkHelper sink(tcp, InetSocketAddress(Ipv4Address::GetAny(), port));
        const Ptr<Application> receiver = sink.Install(m_nodes.Get(0)).Get(0);
        receiver->TraceConnectWithoutContext("Rx", MakeCallback(&Run::TcpReceived, this));
        const Ipv4Address address(RoceAddress::Ipv4OfRank(0));
        BulkSendHelper sender(tcp, InetSocketAddress(address, port));
        sender.SetAttribute("MaxBytes", UintegerValue(bytes));
        sender.Install(m_nodes.Get(src));
    }

    /** \return what happened, after Simulator::Run() */
    Findings GetFindings() const
    {
        Findings findings;
        findings.tcpLast = m_tcpLast;
        for (const Time& time : m_rdma)
        {
            findings.rdmaMean += time;
            findings.rdmaLast = std::max(findings.rdmaLast, time);
        }
        if (!m_rdma.empty())
        {
            findings.rdmaMean = findings.rdmaMean / static_cast<int64_t>(m_rdma.size());
        }
        for (const auto& device : m_fabric.switches)
        {
            for (uint32_t i = 0; device && i < device->GetPortCount(); i++)
            {
                AddCounters(device->GetPort(i), findings);
            }
        }
        return findings;
    }

    /** \return the classes that the first switch gives to the DSCPs of TCP and RDMA */
    Classes GetClasses() const
    {
        Classes classes;
        const auto device = std::find_if(m_fabric.switches.begin(),
                                         m_fabric.switches.end(),
                                         [](const auto& each) { return each; });
        const auto nics = m_fabric.GetNics();
        if (device != m_fabric.switches.end() && !nics.empty())
        {
            const DscpMap map = GetDscpMap(**device, "ns3::RoceSwitchDevice");
            const DscpMap own = GetDscpMap(*nics.front(), "ns3::RoceNicDevice");
            classes.tcp = map.GetClass(0); // sockets leave it at that
            classes.rdma = map.GetClass(own.GetDscp(nics.front()->GetPriority()));
        }
        return classes;
    }

    /** \return payload that TCP delivered, bytes */
    uint64_t GetTcpBytes() const
    {
        return m_tcpBytes;
    }

    /** \return payload of the messages that RDMA delivered, bytes */
    uint64_t GetRdmaBytes() const
    {
        return m_rdmaBytes;
    }

    /** \return what did not arrive, a line each */
    std::vector<std::string> GetUnfinished() const
    {
        std::vector<std::string> lines = m_transport->GetFailures();
        if (m_rdmaBytes < m_rdmaWanted)
        {
            lines.push_back("rank 0 waits for RDMA messages of " +
                            std::to_string(m_rdmaWanted - m_rdmaBytes) + " bytes");
        }
        if (m_tcpBytes < m_tcpWanted)
        {
            lines.push_back("rank 0 waits for " + std::to_string(m_tcpWanted - m_tcpBytes) +
                            " bytes of TCP: connections gave up");
        }
        return lines;
    }

  private:
    void MessageReceived(const Message& message) override
    {
        m_rdma.push_back(Simulator::Now());
        m_rdmaBytes += message.bytes;
    }

    void MessageSent(const Message&) override
    {
    }

    /** \param packet that TCP delivered */
    void TcpReceived(Ptr<const Packet> packet, const Address&)
    {
        m_tcpBytes += packet->GetSize();
        m_tcpLast = Simulator::Now();
    }

    /** \param port whose counters \param findings they are added to */
    static void AddCounters(const FabricPort& port, Findings& findings)
    {
        for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
        {
            const FabricPriorityCounters counters = port.GetPriorityCounters(priority);
            findings.drops[priority] += counters.drops;
            findings.marks[priority] += counters.marks;
            findings.pauses[priority] += counters.pausesSent;
        }
    }

    Ptr<FabricContext> m_context;          //!< shared state of the fabric
    NodeContainer m_nodes;                 //!< hosts and switches
    RoceFabric m_fabric;                   //!< NICs and switches
    Ptr<RoceMessageTransport> m_transport; //!< RDMA
    std::vector<Time> m_rdma;              //!< completion of each message
    uint64_t m_rdmaWanted{0};              //!< payload that RDMA sends
    uint64_t m_rdmaBytes{0};               //!< of messages delivered
    uint64_t m_tcpWanted{0};               //!< payload that TCP sends
    uint64_t m_tcpBytes{0};                //!< delivered
    Time m_tcpLast;                        //!< when the last of them came
};

/** \param bytes payload \param time in which it came \return goodput in Gb/s, a dash for none */
std::string
FormatGoodput(uint64_t bytes, Time time)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(2);
    bytes ? text << 8.0 * static_cast<double>(bytes) / time.ToDouble(Time::NS) : text << '-';
    return text.str();
}

/** \param time a time \return it in microseconds, a dash for none */
std::string
FormatTime(Time time)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1);
    time.IsZero() ? text << '-' : text << time.ToDouble(Time::US);
    return text.str();
}

/** A column of the table, from top to bottom. */
using Column = std::vector<std::string>;

/**
 * \param options of the program
 * \param rdma whether RDMA sends
 * \param tcp whether TCP sends
 * \param [out] classes of both
 * \param [out] unfinished gets a line for all that did not arrive
 * \return what happened
 */
Column
Play(const CommandOptions& options,
     bool rdma,
     bool tcp,
     Classes& classes,
     std::vector<std::string>& unfinished)
{
    const Topology topology = LoadTopology(options.Get("topology"));
    const uint64_t rdmaBytes = options.GetValue("rdmaBytes").GetUint("size", 1, 1ULL << 40);
    const uint64_t tcpBytes = options.GetValue("tcpBytes").GetUint("size", 1, 1ULL << 40);
    Column column{rdma && tcp ? "together" : rdma ? "RDMA alone" : "TCP alone"};
    {
        Run run(topology);
        const std::vector<uint32_t> senders = run.GetSenders();
        if (senders.empty())
        {
            throw ConfigError("command line",
                              "--topology",
                              topology.source,
                              "at least two hosts with NICs of their own and a path between them");
        }
        for (const uint32_t src : senders)
        {
            rdma ? run.SendRdma(src, rdmaBytes) : void();
            tcp ? run.SendTcp(src, tcpBytes) : void();
        }
        Simulator::Run();
        for (const std::string& line : run.GetUnfinished())
        {
            unfinished.push_back(column.front() + ": " + line);
        }
        const Findings findings = run.GetFindings();
        classes = run.GetClasses();
        column.push_back(FormatTime(findings.rdmaMean));
        column.push_back(FormatTime(findings.rdmaLast));
        column.push_back(FormatGoodput(run.GetRdmaBytes(), findings.rdmaLast));
        column.push_back(FormatTime(findings.tcpLast));
        column.push_back(FormatGoodput(run.GetTcpBytes(), findings.tcpLast));
        for (const auto& [priority, user] : classes.GetAll())
        {
            column.push_back(std::to_string(findings.drops[priority]));
            column.push_back(std::to_string(findings.marks[priority]));
            column.push_back(std::to_string(findings.pauses[priority]));
        }
    }
    Simulator::Destroy();
    return column;
}

/** \param classes of TCP and RDMA \return what the rows of the table are */
Column
MakeHeads(const Classes& classes)
{
    Column heads{"",
                 "RDMA completion, mean (us)",
                 "RDMA completion, last (us)",
                 "RDMA goodput (Gb/s)",
                 "TCP completion, last (us)",
                 "TCP goodput (Gb/s)"};
    for (const auto& [priority, user] : classes.GetAll())
    {
        const std::string head = "class " + std::to_string(priority) + " (" + user + ") ";
        for (const std::string what : {"drops", "marks", "pauses"})
        {
            heads.push_back(head + what);
        }
    }
    return heads;
}

/** \param columns printed side by side */
void
PrintTable(const std::vector<Column>& columns)
{
    for (std::size_t row = 0; row < columns.front().size(); row++)
    {
        std::cout << std::left << std::setw(32) << columns.front()[row] << std::right;
        for (std::size_t i = 1; i < columns.size(); i++)
        {
            std::cout << std::setw(12) << columns[i][row];
        }
        std::cout << "\n";
    }
}

/** \param options of the program \param defaults gets its attributes, and those of the example */
void
SetDefaults(const CommandOptions& options, ScopedDefaults& defaults)
{
    const TypeId tcp = TypeCatalogue(TcpCongestionOps::GetTypeId()).Find(options.GetValue("tcp"));
    defaults.Set("ns3::TcpL4Protocol::SocketType", TypeIdValue(tcp));
    // 1500 bytes less 20 of IPv4, 20 of TCP, 12 of its time stamps
    defaults.Set("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    defaults.Set("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
    defaults.Set("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
    defaults.Set("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(5)));
    defaults.Set("ns3::RoceSwitchDevice::BufferBytes", UintegerValue(2000000));
    // DCTCP marks above one length of the queue; RDMA is not ECN capable here.
    defaults.Set("ns3::RoceSwitchDevice::EcnKmin", UintegerValue(20000)); // at 25 Gb/s
    defaults.Set("ns3::RoceSwitchDevice::EcnKmax", UintegerValue(20000));
    options.ApplyAttributes(defaults);
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto program = [&] {
        CommandOptions options("RDMA in a lossless and TCP in a lossy class of the same ports.");
        options.Add("topology", "file or template", "leaf-spine:gpus=8,leaves=2,spines=2");
        options.Add("rdmaBytes", "RDMA message of every host to the first", "4000000");
        options.Add("tcpBytes", "TCP file of every host to the first", "4000000");
        options.Add("tcp", "congestion control of TCP", "TcpNewReno");
        options.Add("engine", "event engine: fabric or default", "fabric");
        if (!options.Parse(argc, argv))
        {
            options.PrintHelp(std::cout);
            return ExitStatus::FINISHED;
        }
        FabricEngine::Select(options.Get("engine"));
        ScopedDefaults defaults;
        SetDefaults(options, defaults);
        Classes classes;
        std::vector<std::string> unfinished;
        std::vector<Column> columns(1);
        columns.push_back(Play(options, true, false, classes, unfinished));
        columns.push_back(Play(options, false, true, classes, unfinished));
        columns.push_back(Play(options, true, true, classes, unfinished));
        columns.front() = MakeHeads(classes);
        PrintTable(columns);
        for (const std::string& line : unfinished)
        {
            std::cout << "unfinished  " << line << "\n";
        }
        return unfinished.empty() ? ExitStatus::FINISHED : ExitStatus::UNFINISHED;
    };
    return RunProgram(program, std::cerr);
}
