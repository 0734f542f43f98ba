/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-file.h"

#include "ns3/config-error.h"

#include <cerrno>
#include <cstring>

namespace ns3
{

namespace
{

constexpr std::size_t BUFFER_BYTES = 1 << 18; //!< fewer system calls than the default of 8 KiB

} // namespace

ResultFile::ResultFile(const std::string& path)
    : m_path(path),
      m_buffer(BUFFER_BYTES)
{
    m_stream.rdbuf()->pubsetbuf(m_buffer.data(), static_cast<std::streamsize>(m_buffer.size()));
    m_stream.open(path, std::ios::binary | std::ios::trunc);
    Check();
}

void
ResultFile::Write(const std::string& text)
{
    m_stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    Check();
}

void
ResultFile::Close()
{
    m_stream.close();
    Check();
}

void
ResultFile::Check() const
{
    if (!m_stream)
    {
        throw ConfigError(m_path, "", std::strerror(errno), "a file that can be written");
    }
}

} // namespace ns3
