/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_SCHEMA_H
#define RESULT_SCHEMA_H

#include "result-records.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief What a result column holds. */
enum class ResultColumnType : uint8_t
{
    INTEGER, //!< a whole number
    TIME,    //!< nanoseconds with up to three decimals
    REAL,    //!< a floating-point number
    TEXT,    //!< UTF-8 text
};

/** \ingroup fabric \brief A column of a result table. A unit, where there is one, ends the name. */
struct ResultColumn
{
    std::string name;      //!< name, in lower case, with the unit
    std::string unit;      //!< "ns", "bytes", "packets", ..., empty for ids, names and flags
    ResultColumnType type; //!< what it holds
    std::string meaning;   //!< one line
};

/** \ingroup fabric \brief A table of results, whatever the file format. */
struct ResultTable
{
    std::string name;                  //!< name of the SQL table and of the CSV file
    std::string meaning;               //!< what one row is
    std::vector<ResultColumn> columns; //!< in order
};

/**
 * \ingroup fabric
 * \brief A value of a row; monostate is NULL. Texts live as long as the record they come from.
 */
using ResultValue = std::variant<std::monostate, int64_t, Time, double, std::string_view>;

/** \ingroup fabric \brief The values of a row, in the order of the table's columns. */
using ResultRow = std::vector<ResultValue>;

/** \ingroup fabric \brief A row of the table "columns", which explains all columns. */
struct ResultColumnRecord
{
    const ResultTable* table{nullptr};   //!< the table
    const ResultColumn* column{nullptr}; //!< one of its columns
};

/**
 * \ingroup fabric
 * \return all tables, in the order in which they are listed and documented
 */
const std::vector<ResultTable>& GetResultTables();

/**
 * \ingroup fabric
 * \tparam R a record type, or ResultColumnRecord
 * \return index of its table in GetResultTables()
 */
template <class R>
std::size_t GetResultTableIndex();

/**
 * \ingroup fabric
 * Writes a record as a row.
 * \tparam R a record type, or ResultColumnRecord
 * \param record the record
 * \param row receives the values; what it held is dropped
 */
template <class R>
void MakeResultRow(const R& record, ResultRow& row);

/** The texts of a row are those of the record, which must live as long. */
template <class R>
void MakeResultRow(const R&& record, ResultRow& row) = delete;

} // namespace ns3

#endif /* RESULT_SCHEMA_H */
