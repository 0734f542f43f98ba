/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-system.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <map>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_NVLINKS = 1024;       //!< of a GPU to one target
constexpr uint64_t MAX_PCIE_WIDTH = 32;      //!< lanes
constexpr uint64_t MAX_NIC_MBPS = 100000000; //!< 100 Tbit/s

/**
 * \param text a text
 * \param begin another
 * \return true if the text begins with it
 */
bool
BeginsWith(const std::string& text, const std::string& begin)
{
    return text.compare(0, begin.size(), begin) == 0;
}

/** \param element an element \param name a name \return true if one of that name is inside it */
bool
HasChild(const XmlElement& element, const std::string& name)
{
    const auto& children = element.GetChildren();
    return std::any_of(children.begin(), children.end(), [&](const XmlElement& child) {
        return child.GetName() == name;
    });
}

/** What a PCI device is. */
enum class PciKind
{
    GPU,    //!< a GPU
    NIC,    //!< one or more network interfaces
    BRIDGE, //!< a bridge with devices below
    OTHER,  //!< anything else, or a bridge without them
};

PciKind GetKind(const XmlElement& pci);

/**
 * \param element an element
 * \return the devices and bridges inside it that count
 */
std::vector<const XmlElement*>
GetDevices(const XmlElement& element)
{
    std::vector<const XmlElement*> devices;
    for (const XmlElement& child : element.GetChildren())
    {
        if (child.GetName() == "pci" && GetKind(child) != PciKind::OTHER)
        {
            devices.push_back(&child);
        }
    }
    return devices;
}

/**
 * Files that NCCL completes when it runs name devices by their class alone; others have elements
 * inside. Classes are those of the PCI Code and ID Assignment Specification.
 * \param pci an element
 * \return what it is
 */
PciKind
GetKind(const XmlElement& pci)
{
    const std::string pciClass = pci.GetText("class");
    if (HasChild(pci, "gpu"))
    {
        return PciKind::GPU;
    }
    if (HasChild(pci, "nic"))
    {
        return PciKind::NIC;
    }
    if (HasChild(pci, "pci"))
    {
        return GetDevices(pci).empty() ? PciKind::OTHER : PciKind::BRIDGE;
    }
    // Display controllers, processing accelerators.
    if (BeginsWith(pciClass, "0x03") || BeginsWith(pciClass, "0x12"))
    {
        return PciKind::GPU;
    }
    return BeginsWith(pciClass, "0x02") ? PciKind::NIC : PciKind::OTHER;
}

} // namespace

NcclSystem
NcclSystem::Read(const TextFile& file)
{
    const XmlElement root = XmlElement::Parse(file);
    if (root.GetName() == "graphs")
    {
        root.Fail("<graphs>",
                  "<system>: this is a dump of rings and trees (NCCL_GRAPH_DUMP_FILE), a topology "
                  "comes from NCCL_TOPO_DUMP_FILE");
    }
    if (root.GetName() != "system")
    {
        root.Fail("<" + root.GetName() + ">", "<system>, a topology that NCCL wrote");
    }
    root.Get("version").GetUint("version of NCCL's (1) or RCCL's (2) topologies", 1, 2);
    NcclSystem system;
    for (const XmlElement& child : root.GetChildren())
    {
        if (child.GetName() == "cpu")
        {
            system.ReadCpu(child);
        }
        else
        {
            system.ignored.insert(child.GetName());
        }
    }
    if (system.gpus.empty())
    {
        root.Fail("no GPU",
                  "a <gpu> in a <pci>, or a <pci> of class 0x03 (display) or 0x12 (accelerator)");
    }
    return system;
}

void
NcclSystem::ReadCpu(const XmlElement& cpu)
{
    const uint32_t root = pcieSwitches.size();
    pcieSwitches.emplace_back();
    cpus.push_back({cpu.GetText("vendor"), cpu.GetText("modelid")});
    ReadNics(cpu, root, 0);
    for (const XmlElement& child : cpu.GetChildren())
    {
        if (child.GetName() == "pci")
        {
            ReadPci(child, root, UINT64_MAX);
        }
        else if (child.GetName() != "nic")
        {
            ignored.insert(child.GetName());
        }
    }
}

void
NcclSystem::ReadPci(const XmlElement& pci, uint32_t above, uint64_t limitBps)
{
    static const std::set<std::string> known{"pci", "gpu", "nic", "pcilink"};
    for (const XmlElement& child : pci.GetChildren())
    {
        if (known.count(child.GetName()) == 0)
        {
            ignored.insert(child.GetName());
        }
    }
    const PciKind kind = GetKind(pci);
    if (kind == PciKind::OTHER)
    {
        return;
    }
    const uint64_t bps = std::min(limitBps, GetPcieRate(pci));
    if (kind == PciKind::GPU)
    {
        ReadGpu(pci, above, bps);
        return;
    }
    if (kind == PciKind::NIC)
    {
        ReadNics(pci, above, bps);
        return;
    }
    const std::vector<const XmlElement*> devices = GetDevices(pci);
    if (devices.size() == 1)
    {
        ReadPci(*devices[0], above, bps);
        return;
    }
    const uint32_t own = pcieSwitches.size();
    pcieSwitches.push_back({above, bps});
    for (const XmlElement* device : devices)
    {
        ReadPci(*device, own, UINT64_MAX);
    }
}

void
NcclSystem::ReadGpu(const XmlElement& pci, uint32_t above, uint64_t bps)
{
    static const std::set<std::string> known{"nvlink", "xgmi", "c2c"};
    NcclGpu gpu;
    gpu.busId = boost::to_lower_copy(std::string(pci.Get("busid").GetText()));
    gpu.device = boost::to_lower_copy(pci.GetText("device"));
    gpu.port = {above, bps};
    gpu.line = pci.GetLine();
    for (const XmlElement& element : pci.GetChildren())
    {
        if (element.GetName() != "gpu")
        {
            continue;
        }
        gpu.sm = element.GetText("sm");
        gpu.gcn = element.GetText("gcn");
        gpu.dev = element.GetText("dev");
        gpu.rank = element.GetText("rank");
        gpu.line = element.GetLine();
        for (const XmlElement& link : element.GetChildren())
        {
            if (known.count(link.GetName()) == 0)
            {
                ignored.insert(link.GetName());
            }
            if (link.GetName() == "nvlink" || link.GetName() == "xgmi")
            {
                NcclNvlink nvlink;
                nvlink.target = boost::to_lower_copy(std::string(link.Get("target").GetText()));
                nvlink.tclass = link.GetText("tclass");
                nvlink.count = link.Get("count").GetUint("number of links", 1, MAX_NVLINKS);
                nvlink.line = link.GetLine();
                gpu.nvlinks.push_back(nvlink);
            }
        }
    }
    const bool isTwice = std::any_of(gpus.begin(), gpus.end(), [&](const NcclGpu& other) {
        return other.busId == gpu.busId;
    });
    if (isTwice)
    {
        pci.Fail(gpu.busId, "every bus id once");
    }
    gpus.push_back(gpu);
}

void
NcclSystem::ReadNics(const XmlElement& parent, uint32_t above, uint64_t bps)
{
    std::size_t before = nics.size();
    for (const XmlElement& nic : parent.GetChildren())
    {
        if (nic.GetName() != "nic")
        {
            continue;
        }
        for (const XmlElement& net : nic.GetChildren())
        {
            if (net.GetName() != "net")
            {
                ignored.insert(net.GetName());
                continue;
            }
            const uint64_t mbps =
                net.Has("speed") ? net.Get("speed").GetUint("speed, Mbit/s", 0, MAX_NIC_MBPS) : 0;
            nics.push_back({net.GetText("name", "a NIC"), above, mbps * 1000000, bps});
        }
    }
    if (nics.size() == before && parent.GetName() == "pci")
    {
        nics.push_back({parent.GetText("busid", "a NIC"), above, 0, bps});
    }
}

uint64_t
NcclSystem::GetPcieRate(const XmlElement& pci)
{
    // Bits per second of a lane behind the line code: 8b/10b, 128b/130b, 236 of 256 bytes of a
    // flit.
    static const std::map<std::string, double> lanes{{"2.5", 2e9},
                                                     {"5", 4e9},
                                                     {"8", 8e9 * 128 / 130},
                                                     {"16", 16e9 * 128 / 130},
                                                     {"32", 32e9 * 128 / 130},
                                                     {"64", 64e9 * 236 / 256}};
    std::string speed = pci.GetText("link_speed");
    speed = speed.substr(0, speed.find(' '));
    if (speed.size() > 2 && speed.compare(speed.size() - 2, 2, ".0") == 0)
    {
        speed.resize(speed.size() - 2);
    }
    const uint64_t width =
        pci.Has("link_width") ? pci.Get("link_width").GetUint("lanes", 0, MAX_PCIE_WIDTH) : 0;
    const auto lane = lanes.find(speed);
    if (lane == lanes.end() || width == 0)
    {
        unknownSpeeds++;
    }
    const double bps = lane == lanes.end() ? lanes.at("8") : lane->second;
    return static_cast<uint64_t>(bps * (width == 0 ? 16 : width));
}

uint32_t
NcclSystem::GetDistance(uint32_t a, uint32_t b) const
{
    if (a == b)
    {
        return pcieSwitches[a].parent == TopologyServerPcieSwitch::ROOT ? 2 : 0;
    }
    // Parents come before their children: the later of two is below or beside the other.
    while (a != b)
    {
        uint32_t& later = a > b ? a : b;
        if (pcieSwitches[later].parent == TopologyServerPcieSwitch::ROOT)
        {
            return 3;
        }
        later = pcieSwitches[later].parent;
    }
    return pcieSwitches[a].parent == TopologyServerPcieSwitch::ROOT ? 2 : 1;
}

} // namespace ns3
