/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/config-error.h"
#include "ns3/nstime.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace ns3
{

namespace
{

namespace fs = std::filesystem;

/** A folder of this process. */
struct FuzzFolder
{
    FuzzFolder()
        : path(fs::temp_directory_path() / ("railyard-fuzz-" + std::to_string(getpid())))
    {
        fs::create_directories(path);
    }

    ~FuzzFolder()
    {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }

    const fs::path path; //!< the folder
};

} // namespace

std::string
WriteFuzzFile(const std::string& input, const std::string& name)
{
    static const FuzzFolder folder;
    const std::string path = (folder.path / name).string();
    std::ofstream(path, std::ios::binary | std::ios::trunc) << input;
    return path;
}

} // namespace ns3

/** \return 0 */
extern "C" int
LLVMFuzzerInitialize(int*, char***)
{
    ns3::Time::SetResolution(ns3::Time::PS);
    return 0;
}

/** \param data input \param size its bytes \return 0: taken into the corpus if it shows new code */
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    try
    {
        ns3::FuzzOne(std::string(reinterpret_cast<const char*>(data), size));
    }
    catch (const ns3::ConfigError&)
    {
        // refused, as it may be
    }
    return 0;
}
