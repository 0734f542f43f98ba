/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "csv-file.h"

#include "ns3/assert.h"
#include "ns3/comma-list.h"
#include "ns3/config-error.h"
#include "ns3/text-scanner.h"

#include <algorithm>
#include <set>

namespace ns3
{

CsvFile::CsvFile(const std::string& path)
    : m_path(path)
{
    const TextFile file(path);
    for (std::size_t i = 0; i < file.GetLineCount(); ++i)
    {
        const TextLine line = file.GetLine(i);
        if (line.IsBlank() || line.GetText().front() == '#')
        {
            continue;
        }
        Row row{line.GetNumber(), Split(line.GetNumber(), line.GetText())};
        if (m_header.cells.empty())
        {
            m_header = std::move(row);
            CheckHeader();
            continue;
        }
        if (row.cells.size() != m_header.cells.size())
        {
            throw ConfigError(path,
                              row.line,
                              std::to_string(row.cells.size()) + " cells",
                              std::to_string(m_header.cells.size()) + " cells, as in the header");
        }
        m_rows.push_back(std::move(row));
    }
    if (m_header.cells.empty())
    {
        throw ConfigError(path, "", "no header", "a line with the names of the columns");
    }
}

void
CsvFile::CheckHeader() const
{
    std::set<std::string> seen;
    for (const auto& name : m_header.cells)
    {
        if (name.empty() || !seen.insert(name).second)
        {
            throw ConfigError(m_path, m_header.line, name, "column names, each once");
        }
    }
}

std::vector<std::string>
CsvFile::Split(uint64_t line, std::string_view text) const
{
    std::vector<std::string> cells;
    std::size_t i = 0;
    const auto skipBlanks = [&]() { i = std::min(text.find_first_not_of(" \t", i), text.size()); };
    do
    {
        skipBlanks();
        std::string cell;
        if (i < text.size() && text[i] == '"')
        {
            for (++i; i < text.size() && (text[i] != '"' || text.substr(i, 2) == "\"\""); ++i)
            {
                i += text[i] == '"';
                cell += text[i];
            }
            const bool closed = i < text.size();
            i += closed;
            skipBlanks();
            if (!closed || (i < text.size() && text[i] != ','))
            {
                throw ConfigError(m_path, line, cell, "a cell with its quote closed at its end");
            }
        }
        else
        {
            const std::size_t end = std::min(text.find(',', i), text.size());
            cell = text.substr(i, end - i);
            cell.erase(cell.find_last_not_of(" \t") + 1);
            i = end;
        }
        cells.push_back(std::move(cell));
    } while (i++ < text.size());
    return cells;
}

const std::string&
CsvFile::GetPath() const
{
    return m_path;
}

const std::vector<std::string>&
CsvFile::GetColumns() const
{
    return m_header.cells;
}

uint64_t
CsvFile::GetHeaderLine() const
{
    return m_header.line;
}

bool
CsvFile::HasColumn(std::string_view column) const
{
    return std::find(m_header.cells.begin(), m_header.cells.end(), column) != m_header.cells.end();
}

void
CsvFile::RequireColumns(const std::vector<std::string>& columns) const
{
    for (const auto& column : columns)
    {
        if (!HasColumn(column))
        {
            const std::string names = JoinList(m_header.cells, ",");
            throw ConfigError(m_path, m_header.line, names, "a header with the column " + column);
        }
    }
}

std::size_t
CsvFile::GetRowCount() const
{
    return m_rows.size();
}

uint64_t
CsvFile::GetLine(std::size_t row) const
{
    return m_rows.at(row).line;
}

TextValue
CsvFile::Get(std::size_t row, std::string_view column) const
{
    const auto& columns = m_header.cells;
    const auto it = std::find(columns.begin(), columns.end(), column);
    NS_ASSERT_MSG(it != columns.end(), m_path << " has no column " << column);
    return {m_path, m_rows.at(row).line, m_rows[row].cells[it - columns.begin()]};
}

std::string
CsvFile::GetText(std::size_t row, std::string_view column) const
{
    return std::string(Get(row, column).GetText());
}

} // namespace ns3
