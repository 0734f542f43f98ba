/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_WRITER_H
#define RESULT_WRITER_H

#include "ns3/result-schema.h"
#include "ns3/result-sink.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A ResultSink that writes one or several files.
 *
 * Files are complete after Close() alone. What cannot be written throws ConfigError with the name
 * of the file.
 */
class ResultWriter : public ResultSink
{
  public:
    /** Writes what is still held back and closes the files; the last call. */
    virtual void Close() = 0;
};

/**
 * \ingroup fabric
 * \brief A ResultWriter for formats that are tables: every record becomes a row of its table.
 */
class ResultRowWriter : public ResultSinkTemplate<ResultRowWriter, ResultWriter>
{
  public:
    /**
     * Writes a record.
     * \param record the record
     */
    template <class R>
    void Take(const R& record)
    {
        MakeResultRow(record, m_row);
        WriteRow(GetResultTableIndex<R>(), m_row);
    }

  protected:
    /** Writes the table that explains the columns of all tables. */
    void WriteColumnTable();

  private:
    /**
     * \param table index in GetResultTables()
     * \param row one value for each of its columns
     */
    virtual void WriteRow(std::size_t table, const ResultRow& row) = 0;

    ResultRow m_row; //!< kept for its capacity
};

} // namespace ns3

#endif /* RESULT_WRITER_H */
