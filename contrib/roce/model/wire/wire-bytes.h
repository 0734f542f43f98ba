/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WIRE_BYTES_H
#define WIRE_BYTES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief Appends numbers to a frame, in network byte order unless it says so. */
class WireWriter
{
  public:
    /** \param size bytes that the frame will have, so that memory is taken once */
    explicit WireWriter(std::size_t size)
    {
        m_bytes.reserve(size);
    }

    /**
     * \param value a number
     * \param size how many of its low bytes to write, high byte first
     */
    void Put(uint64_t value, uint32_t size)
    {
        while (size > 0)
        {
            size--;
            m_bytes.push_back(static_cast<uint8_t>(value >> (8 * size)));
        }
    }

    /** \param value a check: its four bytes, low byte first */
    void PutLittleEndian(uint32_t value)
    {
        for (uint32_t i = 0; i < 4; i++)
        {
            m_bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
        }
    }

    /** \param count how many zero bytes to append */
    void PutZeros(std::size_t count)
    {
        m_bytes.resize(m_bytes.size() + count);
    }

    /** \return what was written so far */
    std::vector<uint8_t>& Bytes()
    {
        return m_bytes;
    }

  private:
    std::vector<uint8_t> m_bytes; //!< what was written
};

/**
 * \ingroup roce
 * \param bytes where to read
 * \param size how many bytes, at most 8
 * \return the number that they hold in network byte order
 */
inline uint64_t
ReadWire(const uint8_t* bytes, uint32_t size)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; i++)
    {
        value = value << 8 | bytes[i];
    }
    return value;
}

/**
 * \ingroup roce
 * \param bytes where to read
 * \return the check that stands there, low byte first
 */
inline uint32_t
ReadWireLittleEndian(const uint8_t* bytes)
{
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<uint32_t>(bytes[3]) << 24;
}

} // namespace ns3

#endif /* WIRE_BYTES_H */
