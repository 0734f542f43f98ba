/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-staging.h"

#include "result-summary-json.h"

#include "ns3/config-error.h"
#include "ns3/result-schema.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

namespace ns3
{

namespace fs = std::filesystem;

namespace
{

/** \return the names of all files that a result may hold, the summary first */
std::vector<std::string>
GetResultNames()
{
    std::vector<std::string> names{"summary.json", "results.db", "timeline.json"};
    for (const ResultTable& table : GetResultTables())
    {
        names.push_back(table.name + ".csv");
    }
    return names;
}

/** \param path a file, or whatever has its name \return true if it is a summary.json of ours */
bool
IsSummary(const fs::path& path)
{
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored))
    {
        return false;
    }
    std::ifstream file(path);
    auto json = nlohmann::json::parse(file, nullptr, false);
    return json.is_object() && json.contains("format") && json["format"] == RESULT_SUMMARY_FORMAT;
}

/**
 * \param path the result folder, or a file in it
 * \param expected what it should have been
 */
[[noreturn]] void
Refuse(const std::string& path, const std::string& expected)
{
    throw ConfigError("result folder", "", path, expected);
}

/**
 * \param path the result folder, or a file in it
 * \param error why it cannot be written; nothing happens if it is no error
 */
void
RefuseIf(const std::string& path, const std::error_code& error)
{
    if (error)
    {
        Refuse(path, "a folder that can be written (" + error.message() + ")");
    }
}

std::vector<ResultStaging*> g_open;              //!< folders that are being written
std::terminate_handler g_terminateBefore = nullptr; //!< what std::terminate() did

} // namespace

void
ResultStaging::CleanUpAll()
{
    for (ResultStaging* staging : g_open)
    {
        staging->CleanUp();
    }
    g_terminateBefore();
    std::abort();
}

ResultStaging::ResultStaging(const std::string& path)
    : m_path(path),
      m_partial(path + "/.partial")
{
    try
    {
        MakeFolder();
        Lock();
        CheckContent();
        std::error_code error;
        fs::remove_all(m_partial, error); // what a run left that was killed
        fs::create_directory(m_partial, error);
        RefuseIf(m_path, error);
    }
    catch (...)
    {
        CleanUp();
        throw;
    }
    g_open.push_back(this);
    if (!g_terminateBefore)
    {
        g_terminateBefore = std::set_terminate(CleanUpAll);
    }
}

ResultStaging::~ResultStaging()
{
    g_open.erase(std::find(g_open.begin(), g_open.end(), this));
    CleanUp();
}

const std::string&
ResultStaging::GetFolder() const
{
    return m_partial;
}

std::string
ResultStaging::GetFile(const std::string& name) const
{
    return m_partial + "/" + name;
}

std::string
ResultStaging::AddFile(const std::string& name)
{
    std::vector<std::string> names = GetResultNames();
    names.insert(names.end(), m_more.begin(), m_more.end());
    if (std::find(names.begin(), names.end(), name) != names.end())
    {
        Refuse(m_path + "/" + name, "another name: this one is taken by a file of the result");
    }
    if (!IsSummary(m_path + "/summary.json"))
    {
        CheckFile(name);
    }
    m_more.push_back(name);
    return GetFile(name);
}

void
ResultStaging::Commit()
{
    std::vector<std::string> names = GetResultNames();
    names.insert(names.end(), m_more.begin(), m_more.end());
    // The summary stands first in the list and moves last: who finds a new one finds all of it.
    for (auto name = names.rbegin(); name != names.rend(); ++name)
    {
        std::string target = m_path + "/" + *name;
        std::error_code error;
        if (fs::exists(GetFile(*name)))
        {
            fs::rename(GetFile(*name), target, error);
        }
        else
        {
            fs::remove(target, error); // belongs to the earlier result
        }
        RefuseIf(target, error);
    }
    m_made.clear();
    std::error_code ignored;
    fs::remove_all(m_partial, ignored);
}

void
ResultStaging::MakeFolder()
{
    std::error_code error;
    if (m_path.empty() || (fs::exists(m_path, error) && !fs::is_directory(m_path, error)))
    {
        Refuse(m_path, "a folder, or a name that does not exist yet");
    }
    std::vector<std::string> missing;
    for (fs::path folder = fs::path(m_path).lexically_normal();
         !folder.empty() && !fs::exists(folder, error);
         folder = folder.parent_path())
    {
        missing.push_back(folder.string());
    }
    for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder)
    {
        if (fs::create_directory(*folder, error))
        {
            m_made.push_back(*folder);
        }
        RefuseIf(m_path, error);
    }
}

void
ResultStaging::Lock()
{
    m_lock = open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (m_lock < 0)
    {
        RefuseIf(m_path, std::error_code(errno, std::generic_category()));
    }
    // A file system without locks gives another error: there it is up to the user.
    if (flock(m_lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
        close(m_lock);
        m_lock = -1;
        Refuse(m_path, "a folder in which no other run is writing");
    }
}

void
ResultStaging::CheckContent() const
{
    if (IsSummary(m_path + "/summary.json"))
    {
        return;
    }
    for (const std::string& name : GetResultNames())
    {
        CheckFile(name);
    }
}

void
ResultStaging::CheckFile(const std::string& name) const
{
    if (fs::exists(m_path + "/" + name))
    {
        Refuse(m_path + "/" + name,
               "no such file, or a summary.json of an earlier run beside it: it would be lost");
    }
}

void
ResultStaging::CleanUp() noexcept
{
    std::error_code ignored;
    if (m_lock >= 0)
    {
        fs::remove_all(m_partial, ignored);
    }
    for (auto folder = m_made.rbegin(); folder != m_made.rend(); ++folder)
    {
        fs::remove(*folder, ignored); // only if empty
    }
    m_made.clear();
    if (m_lock >= 0)
    {
        close(m_lock);
        m_lock = -1;
    }
}

} // namespace ns3
