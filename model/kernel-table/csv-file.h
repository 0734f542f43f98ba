/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CSV_FILE_H
#define CSV_FILE_H

#include "ns3/text-value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief A CSV file with a header line, as cells.
 *
 * RFC 4180 within a line: cells separated by commas, optionally in double quotes, a quote inside
 * doubled. Blank lines and lines that begin with '#' are skipped, blanks around a cell dropped.
 * A line with another number of cells than the header, an open quote, an empty or repeated column
 * name is a ConfigError.
 */
class CsvFile
{
  public:
    /** \param path the file */
    explicit CsvFile(const std::string& path);

    /** \return the path */
    const std::string& GetPath() const;

    /** \return the column names, in order */
    const std::vector<std::string>& GetColumns() const;

    /** \return the line of the header, counted from 1 */
    uint64_t GetHeaderLine() const;

    /**
     * \param column a column's name
     * \return true if the file has it
     */
    bool HasColumn(std::string_view column) const;

    /**
     * Throws ConfigError if a column is missing.
     * \param columns the columns that must be there
     */
    void RequireColumns(const std::vector<std::string>& columns) const;

    /** \return the number of rows */
    std::size_t GetRowCount() const;

    /**
     * \param row a row, from 0
     * \return its line, counted from 1
     */
    uint64_t GetLine(std::size_t row) const;

    /**
     * \param row a row, from 0
     * \param column a column that the file has
     * \return the cell, which knows its place
     */
    TextValue Get(std::size_t row, std::string_view column) const;

    /**
     * \param row a row, from 0
     * \param column a column that the file has
     * \return the cell's text
     */
    std::string GetText(std::size_t row, std::string_view column) const;

  private:
    /** \brief One line. */
    struct Row
    {
        uint64_t line;                  //!< counted from 1
        std::vector<std::string> cells; //!< one per column
    };

    /**
     * \param line a line's number
     * \param text its text
     * \return its cells
     */
    std::vector<std::string> Split(uint64_t line, std::string_view text) const;

    /** Check the column names. */
    void CheckHeader() const;

    std::string m_path;      //!< the file
    Row m_header{0, {}};     //!< column names
    std::vector<Row> m_rows; //!< the rest
};

} // namespace ns3

#endif /* CSV_FILE_H */
