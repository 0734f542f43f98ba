/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-csv-writer.h"

#include "ns3/result-format.h"

namespace ns3
{

namespace
{

/** Writes a ResultValue as a CSV field. */
struct CsvField
{
    std::string& line; //!< receives the text

    /** NULL: an empty field. */
    void operator()(std::monostate) const
    {
    }

    /** \param value a whole number */
    void operator()(int64_t value) const
    {
        line += std::to_string(value);
    }

    /** \param value an instant or a duration */
    void operator()(const Time& value) const
    {
        line += FormatNanoseconds(value);
    }

    /** \param value a number */
    void operator()(double value) const
    {
        line += FormatReal(value);
    }

    /** \param value a text */
    void operator()(std::string_view value) const
    {
        line += QuoteCsv(value);
    }
};

} // namespace

ResultCsvWriter::ResultCsvWriter(const std::string& folder)
{
    for (const ResultTable& table : GetResultTables())
    {
        m_files.push_back(std::make_unique<ResultFile>(folder + "/" + table.name + ".csv"));
        ResultRow header;
        for (const ResultColumn& column : table.columns)
        {
            header.emplace_back(std::string_view(column.name));
        }
        WriteRow(m_files.size() - 1, header);
    }
    WriteColumnTable();
}

void
ResultCsvWriter::Close()
{
    for (auto& file : m_files)
    {
        file->Close();
    }
}

void
ResultCsvWriter::WriteRow(std::size_t table, const ResultRow& row)
{
    m_line.clear();
    for (std::size_t i = 0; i < row.size(); i++)
    {
        if (i > 0)
        {
            m_line += ',';
        }
        std::visit(CsvField{m_line}, row[i]);
    }
    m_line += '\n';
    m_files[table]->Write(m_line);
}

} // namespace ns3
