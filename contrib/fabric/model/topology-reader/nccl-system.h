/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_SYSTEM_H
#define NCCL_SYSTEM_H

#include "ns3/topology-server.h"
#include "ns3/xml-element.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief NVLinks (or XGMI links) of a GPU to one target, as a file gives them. */
struct NcclNvlink
{
    std::string target; //!< bus id of a GPU or NVSwitch
    std::string tclass; //!< PCI class of the target, empty if the file has none
    uint32_t count{0};  //!< links
    uint64_t line{0};   //!< line in the file
};

/** \ingroup fabric \brief A GPU of a NcclSystem. */
struct NcclGpu
{
    std::string busId;               //!< PCI bus id, in small letters
    std::string device;              //!< PCI device id: "0x2330", empty if the file has none
    std::string sm;                  //!< compute capability, empty if the file has none
    std::string gcn;                 //!< AMD's architecture, empty if the file has none
    std::string dev;                 //!< number on its host, empty if the file has none
    std::string rank;                //!< rank, empty if the file has none
    TopologyServerPciePort port;     //!< where it is attached
    std::vector<NcclNvlink> nvlinks; //!< in order of the file
    uint64_t line{0};                //!< line in the file
};

/** \ingroup fabric \brief A network interface of a NcclSystem. */
struct NcclNic
{
    std::string name;    //!< "mlx5_0", or its PCI bus id
    uint32_t above{0};   //!< PCIe switch or root complex that it is attached to
    uint64_t rateBps{0}; //!< rate, bit/s; 0 if the file has none
    uint64_t pcieBps{0}; //!< rate of its PCIe link, bit/s; 0 if it has none
};

/** \ingroup fabric \brief A NUMA node of a NcclSystem. */
struct NcclCpu
{
    std::string vendor;  //!< "AuthenticAMD", empty if the file has none
    std::string modelId; //!< model, empty if the file has none
};

/**
 * \ingroup fabric
 * \brief What a file of NCCL's topology (NCCL_TOPO_DUMP_FILE) says of a server, device by device.
 *
 * The PCIe tree is the file's, but bridges with one device below, such as the downstream ports of
 * a switch, are taken together with it. Elements and attributes that nothing here needs are left
 * out.
 */
class NcclSystem
{
  public:
    /**
     * \param file a file of NCCL's topology
     * \return what it says; a ConfigError with file and line if it is wrong
     */
    static NcclSystem Read(const TextFile& file);

    /**
     * \param a a PCIe switch or root complex
     * \param b another, or the same
     * \return how far they are apart, in NCCL's order of paths: 0 the same PCIe switch (PIX), 1 by
     * other PCIe switches (PXB), 2 by a root complex (PHB), 3 by the link between two (SYS)
     */
    uint32_t GetDistance(uint32_t a, uint32_t b) const;

    std::vector<NcclCpu> cpus;                          //!< in order of the file
    std::vector<TopologyServerPcieSwitch> pcieSwitches; //!< root complexes and switches
    std::vector<NcclGpu> gpus;                          //!< in order of the file
    std::vector<NcclNic> nics;                          //!< in order of the file
    std::set<std::string> ignored;                      //!< names of unknown elements
    uint32_t unknownSpeeds{0};                          //!< PCIe links without speed or width

  private:
    /** Adds a root complex and the devices below it. \param cpu the element */
    void ReadCpu(const XmlElement& cpu);

    /**
     * Adds the devices in the tree of a PCI device.
     * \param pci the element
     * \param above PCIe switch or root complex that it is attached to
     * \param limitBps rate of the links to it that are taken together with its own
     */
    void ReadPci(const XmlElement& pci, uint32_t above, uint64_t limitBps);

    /**
     * \param pci an element that is a GPU
     * \param above PCIe switch or root complex that it is attached to
     * \param bps rate of its PCIe link
     */
    void ReadGpu(const XmlElement& pci, uint32_t above, uint64_t bps);

    /**
     * \param parent an element with network interfaces
     * \param above PCIe switch or root complex that it is attached to
     * \param bps rate of its PCIe link, 0 if it has none
     */
    void ReadNics(const XmlElement& parent, uint32_t above, uint64_t bps);

    /**
     * \param pci an element
     * \return rate of its link per direction, bit/s; that of PCIe 3 x16 if the file has none
     */
    uint64_t GetPcieRate(const XmlElement& pci);
};

} // namespace ns3

#endif /* NCCL_SYSTEM_H */
