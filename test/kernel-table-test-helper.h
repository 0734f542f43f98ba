/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef KERNEL_TABLE_TEST_HELPER_H
#define KERNEL_TABLE_TEST_HELPER_H

#include "ns3/config-error.h"
#include "ns3/kernel-table.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

/**
 * \file
 * What the tests of the kernel table share.
 */

namespace ns3
{

/** A GPU of 100 TFLOP/s bf16 and 1 TB/s: 1e5 FLOP and 1e3 bytes per ns. */
inline const char* const GPU_CSV =
    "name,device,memory_bytes,memory_bytes_per_s,peak_bf16_flops,peak_fp8_flops,gemm_efficiency,"
    "attention_efficiency,memory_efficiency,launch_ns,source\n"
    "X1,Example,1000000000,1e12,1e14,2e14,0.5,0.25,0.8,3000,data sheet\n";

/** Rows of that GPU, at efficiency 0.5 (m = 1024) and 0.8 (m = 2048). */
inline const char* const GEMM_CSV = "gpu,op,type,m,n,k,time_ns,source\n"
                                    "X1,gemm,bf16,1024,1024,1024,42950,bench\n"
                                    "X1,gemm,bf16,2048,1024,1024,53687,bench\n";

/** \brief A folder of the test's own, removed at the end. */
class Folder
{
  public:
    Folder()
        : path(testing::TempDir() + "railyard-kernel-table")
    {
        std::filesystem::remove_all(path);
        std::filesystem::create_directories(path);
    }

    ~Folder()
    {
        std::filesystem::remove_all(path);
    }

    /**
     * \param name a file
     * \param text its content
     * \return its path
     */
    std::string Write(const std::string& name, const std::string& text) const
    {
        std::ofstream(path + "/" + name, std::ios::binary) << text;
        return path + "/" + name;
    }

    const std::string path; //!< the folder
};

/** \brief Tests that have a small table, beside the shipped one. */
class KernelTableTest : public testing::Test
{
  protected:
    /**
     * \param kernels CSV of kernels
     * \param more name and text of another CSV file, may be empty
     * \return a table of GPU X1
     */
    Ptr<KernelTable> LoadSmall(const std::string& kernels, const std::string& more = "")
    {
        m_folder.Write("gpu.csv", GPU_CSV);
        m_folder.Write("kernel.csv", kernels);
        if (!more.empty())
        {
            m_folder.Write("more.csv", more);
        }
        return KernelTable::Load(m_folder.path);
    }

    Folder m_folder; //!< files of the test
};

/**
 * \param gpu a GPU
 * \param m rows of the result
 * \param n columns of the result
 * \param k length of the sums
 * \return the key of a bf16 GEMM
 */
inline KernelKey
Gemm(const std::string& gpu, uint64_t m, uint64_t n, uint64_t k)
{
    return {gpu, "gemm", "bf16", {{"m", m}, {"n", n}, {"k", k}}};
}

/**
 * \param call something that must throw ConfigError
 * \return its message, empty if it does not throw
 */
template <typename Call>
std::string
GetConfigError(Call call)
{
    try
    {
        call();
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * \param text a text
 * \param part what it must contain
 * \return whether it does
 */
inline testing::AssertionResult
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos
               ? testing::AssertionSuccess()
               : testing::AssertionFailure() << "'" << part << "' is not in '" << text << "'";
}

/**
 * \param path a file
 * \return its bytes
 */
inline std::string
ReadBytes(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace ns3

#endif /* KERNEL_TABLE_TEST_HELPER_H */
