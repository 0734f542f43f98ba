/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SCRATCH_DIRECTORY_H
#define SCRATCH_DIRECTORY_H

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ns3
{

/**
 * \ingroup tests
 * \brief A folder for the temporary files of one test process, removed with the object.
 *
 * While the object lives, testing::TempDir() and std::filesystem::temp_directory_path() name this
 * folder: tests that run at the same time cannot meet in a file.
 */
class ScratchDirectory
{
  public:
    ScratchDirectory()
    {
        std::string path =
            (std::filesystem::temp_directory_path() / "railyard-test-XXXXXX").string();
        if (mkdtemp(path.data()) != nullptr)
        {
            m_path = path;
            setenv("TMPDIR", path.c_str(), 1);
            setenv("TEST_TMPDIR", path.c_str(), 1);
        }
    }

    ~ScratchDirectory()
    {
        if (!m_path.empty())
        {
            std::error_code ignored;
            std::filesystem::remove_all(m_path, ignored);
        }
    }

    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  private:
    std::filesystem::path m_path; //!< the folder; empty when it could not be made
};

} // namespace ns3

#endif /* SCRATCH_DIRECTORY_H */
