/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_CSV_WRITER_H
#define RESULT_CSV_WRITER_H

#include "result-file.h"
#include "result-writer.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Writes every result table as a CSV file, <table>.csv.
 *
 * Fields are quoted as RFC 4180 says; lines end with a line feed; NULL is an empty field; the first
 * line holds the column names. A table without rows gives a file with that line alone.
 */
class ResultCsvWriter final : public ResultRowWriter
{
  public:
    /** \param folder an existing folder */
    explicit ResultCsvWriter(const std::string& folder);

    void Close() override;

  private:
    void WriteRow(std::size_t table, const ResultRow& row) override;

    std::vector<std::unique_ptr<ResultFile>> m_files; //!< by table
    std::string m_line;                               //!< kept for its capacity
};

} // namespace ns3

#endif /* RESULT_CSV_WRITER_H */
