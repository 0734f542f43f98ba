/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GPU_SPEC_H
#define GPU_SPEC_H

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief What a GPU can do at most, and how much of it a kernel reaches that the table lacks.
 *
 * A row of the table `gpu`. Peaks are dense (no structured sparsity).
 */
struct GpuSpec
{
    std::string name;                        //!< "H100"
    std::string device;                      //!< full product name
    uint64_t memoryBytes{0};                 //!< memory size
    double memoryBytesPerSecond{0};          //!< peak bandwidth of that memory
    std::map<std::string, double> peakFlops; //!< by element type, FLOP/s
    double gemmEfficiency{0};                //!< of the peak, for a matrix product; (0, 1]
    double attentionEfficiency{0};           //!< of the peak, for attention; (0, 1]
    double memoryEfficiency{0};              //!< of the peak bandwidth; (0, 1]
    double launchNs{0};                      //!< added to every roofline time, ns
    std::string source;                      //!< name of the KernelSource

    /**
     * \param type element type
     * \return true if the GPU has a peak for it
     */
    bool Supports(const std::string& type) const;

    /**
     * \param type element type that the GPU supports
     * \return peak FLOP/s
     */
    double GetPeakFlops(const std::string& type) const;

    /** \return the supported types, "bf16, fp16, fp8" */
    std::string GetTypeNames() const;
};

} // namespace ns3

#endif /* GPU_SPEC_H */
