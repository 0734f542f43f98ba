/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "template-folders.h"

#include "config-error.h"
#include "source-folder.h"

#include <cstdlib>
#include <filesystem>
#include <set>

namespace ns3
{

namespace fs = std::filesystem;

std::vector<std::string>
GetTemplateFolders()
{
    std::vector<std::string> folders;
    const char* given = std::getenv("RAILYARD_TEMPLATES");
    if (given != nullptr && *given != '\0')
    {
        std::error_code ignored;
        if (!fs::is_directory(given, ignored))
        {
            throw ConfigError("environment", "RAILYARD_TEMPLATES", given, "a folder");
        }
        folders.emplace_back(given);
    }
    folders.push_back((fs::path(GetSourceFolder()) / "topology-templates").string());
    return folders;
}

std::string
FindInTemplateFolders(const std::string& name)
{
    std::error_code ignored;
    for (const std::string& folder : GetTemplateFolders())
    {
        const fs::path path = fs::path(folder) / name;
        if (fs::is_regular_file(path, ignored))
        {
            return path.string();
        }
    }
    return "";
}

std::vector<std::string>
GetTemplateNames(const std::string& subfolder)
{
    std::set<std::string> names;
    for (const std::string& folder : GetTemplateFolders())
    {
        std::error_code ignored;
        for (const auto& file : fs::directory_iterator(fs::path(folder) / subfolder, ignored))
        {
            if (file.path().extension() == ".json")
            {
                names.insert(file.path().stem().string());
            }
        }
    }
    return {names.begin(), names.end()};
}

} // namespace ns3
