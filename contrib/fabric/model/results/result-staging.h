/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_STAGING_H
#define RESULT_STAGING_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A result folder into which all files come at once, or none.
 *
 * Files are written into a hidden folder inside the result folder and renamed at Commit(),
 * summary.json last. Without Commit() nothing remains, not even folders made here; nor does it
 * where the process ends by std::terminate(), as NS_ABORT_MSG() does. A folder may
 * hold an earlier result, which is replaced, and files of other names, which are left alone; files
 * with our names that are not an earlier result are never overwritten. A lock on the folder keeps
 * two runs apart and vanishes with the process.
 */
class ResultStaging
{
  public:
    /**
     * Throws ConfigError if results cannot be written there.
     * \param path the result folder, made if it does not exist
     */
    explicit ResultStaging(const std::string& path);
    ~ResultStaging();
    ResultStaging(const ResultStaging&) = delete;
    ResultStaging& operator=(const ResultStaging&) = delete;

    /** \return the folder in which the files are to be written */
    const std::string& GetFolder() const;

    /**
     * \param name a result file's name
     * \return where it is to be written
     */
    std::string GetFile(const std::string& name) const;

    /**
     * A file beside those that every result has, such as a pcap file.
     * \param name its name; a ConfigError if a file of that name would be lost
     * \return where it is to be written
     */
    std::string AddFile(const std::string& name);

    /** Moves all files, closed by now, into the result folder; the last call. */
    void Commit();

  private:
    /** Makes the folder and those above it, and remembers which. */
    void MakeFolder();
    /** Refuses a folder in which another run is writing. */
    void Lock();
    /** Refuses a folder that holds files with our names that we did not write. */
    void CheckContent() const;
    /**
     * Refuses to overwrite a file that we did not write.
     * \param name its name
     */
    void CheckFile(const std::string& name) const;
    /** Removes what was made here, apart from the results; never throws. */
    void CleanUp() noexcept;
    /** Cleans all folders up that are being written, then does what std::terminate() did. */
    [[noreturn]] static void CleanUpAll();

    std::string m_path;              //!< the result folder
    std::string m_partial;           //!< the hidden folder in it
    std::vector<std::string> m_more; //!< names of files added
    std::vector<std::string> m_made; //!< folders made here, the outermost first
    int m_lock{-1};                  //!< file descriptor that holds the lock
};

} // namespace ns3

#endif /* RESULT_STAGING_H */
