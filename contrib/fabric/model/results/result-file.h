/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_FILE_H
#define RESULT_FILE_H

#include <fstream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A text file that is written from begin to end, with a large buffer.
 *
 * A file that cannot be opened or written throws ConfigError with its name and the reason.
 */
class ResultFile
{
  public:
    /** \param path the file; what it held is lost */
    explicit ResultFile(const std::string& path);

    /** \param text what is added */
    void Write(const std::string& text);

    /** Writes the buffer and closes the file. */
    void Close();

  private:
    /** Throws ConfigError if something went wrong. */
    void Check() const;

    std::string m_path;         //!< the file
    std::vector<char> m_buffer; //!< used by m_stream, so declared before it
    std::ofstream m_stream;     //!< the open file
};

} // namespace ns3

#endif /* RESULT_FILE_H */
