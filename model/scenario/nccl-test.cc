/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-test.h"

#include "ns3/comma-list.h"
#include "ns3/type-catalogue.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_BYTES = uint64_t(1) << 50; //!< no size is larger
constexpr uint64_t PART_ALIGNMENT = 16;           //!< bytes, of the parts of ranks

/** \return the types, in the order of nccl-tests */
const std::vector<NcclType>&
GetTypes()
{
    static const std::vector<NcclType> types{
        {"int8", 1, ElementType::INT8},
        {"uint8", 1, ElementType::INT8},
        {"int32", 4, ElementType::INT32},
        {"uint32", 4, ElementType::INT32},
        {"int64", 8, ElementType::INT64},
        {"uint64", 8, ElementType::INT64},
        {"half", 2, ElementType::HALF},
        {"float", 4, ElementType::FLOAT},
        {"double", 8, ElementType::DOUBLE},
        {"bfloat16", 2, ElementType::BFLOAT16},
        {"f8e4m3", 1, ElementType::FLOAT8},
        {"f8e5m2", 1, ElementType::FLOAT8},
    };
    return types;
}

/** \param name a name \return it in lower case, without underscores and perf at its end */
std::string
Simplify(std::string_view name)
{
    std::string simple;
    for (const char c : name)
    {
        if (c != '_')
        {
            simple += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    const std::string suffix = "perf";
    const bool isProgram =
        simple.size() > suffix.size() &&
        simple.compare(simple.size() - suffix.size(), suffix.size(), suffix) == 0;
    return isProgram ? simple.substr(0, simple.size() - suffix.size()) : simple;
}

/**
 * \tparam T has a name
 * \param all some
 * \return their names, with commas between them
 */
template <typename T>
std::string
ListNames(const std::vector<T>& all)
{
    std::string names;
    for (const T& each : all)
    {
        AppendToList(names, each.name);
    }
    return names;
}

/**
 * \tparam T has a name
 * \param text the name of one
 * \param all all of them
 * \param what they are
 */
template <typename T>
[[noreturn]] void
RefuseName(const TextValue& text, const std::vector<T>& all, const std::string& what)
{
    std::vector<std::string> names;
    for (const T& each : all)
    {
        names.push_back(each.name);
    }
    text.Fail(what + ListNames(all) + SuggestSimilar(std::string(text.GetText()), names));
}

/** A number of bytes as it is written. */
struct WrittenBytes
{
    unsigned __int128 digits{0}; //!< the number without its point
    uint64_t divisor{1};         //!< power of ten for the digits behind the point
    uint64_t unit{1};            //!< what it is multiplied with
};

/** \param text what is left of a number \return the unit that it is, 0 if it is none */
uint64_t
ReadUnit(std::string_view text)
{
    const std::string_view letters = "KMGT";
    uint64_t unit = 1;
    if (!text.empty())
    {
        const std::size_t power =
            letters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(text.front()))));
        if (power != std::string_view::npos)
        {
            unit = uint64_t(1) << (10 * (power + 1));
            text.remove_prefix(1);
        }
    }
    return text.empty() || text == "B" || text == "b" || (unit > 1 && text == "iB") ? unit : 0;
}

/** \param text a number of bytes \return its parts, absent if it is none */
std::optional<WrittenBytes>
ParseBytes(std::string_view text)
{
    constexpr std::size_t MAX_DIGITS = 18;
    WrittenBytes bytes;
    std::size_t at = 0;
    std::size_t digits = 0;
    bool behindPoint = false;
    for (; at < text.size(); at++)
    {
        if (text[at] == '.' && !behindPoint)
        {
            behindPoint = true;
            continue;
        }
        if (text[at] < '0' || text[at] > '9')
        {
            break;
        }
        if (++digits > MAX_DIGITS)
        {
            return std::nullopt;
        }
        bytes.digits = bytes.digits * 10 + static_cast<unsigned>(text[at] - '0');
        bytes.divisor *= behindPoint ? 10 : 1;
    }
    bytes.unit = ReadUnit(text.substr(at));
    return digits > 0 && bytes.unit > 0 ? std::optional<WrittenBytes>(bytes) : std::nullopt;
}

} // namespace

const std::vector<NcclTest>&
NcclTest::GetAll()
{
    using Kind = CollectiveKind;
    static const std::vector<NcclTest> tests{
        // shared, reduces, root, between neighbours, hypercube, uneven
        {"all_reduce", Kind::ALL_REDUCE, false, true, false, false, false, false},
        {"all_gather", Kind::ALL_GATHER, true, false, false, false, false, false},
        {"reduce_scatter", Kind::REDUCE_SCATTER, true, true, false, false, false, false},
        {"alltoall", Kind::ALL_TO_ALL, true, false, false, false, false, false},
        {"alltoallv", Kind::ALL_TO_ALL_V, true, false, false, false, false, true},
        {"broadcast", Kind::BROADCAST, false, false, true, false, false, false},
        {"reduce", Kind::REDUCE, false, true, true, false, false, false},
        {"gather", Kind::GATHER, true, false, true, false, false, false},
        {"scatter", Kind::SCATTER, true, false, true, false, false, false},
        {"sendrecv", Kind::SEND_RECV, false, false, false, true, false, false},
        {"hypercube", Kind::SEND_RECV, true, false, false, false, true, false},
    };
    return tests;
}

std::string
NcclTest::DescribeNames()
{
    return ListNames(GetAll());
}

NcclTest
NcclTest::Find(const TextValue& name)
{
    const std::vector<NcclTest>& all = GetAll();
    const std::string simple = Simplify(name.GetText());
    for (const NcclTest& test : all)
    {
        if (Simplify(test.name) == simple)
        {
            return test;
        }
    }
    RefuseName(name, all, "one of ");
}

std::string
NcclType::DescribeNames()
{
    return ListNames(GetTypes());
}

NcclType
NcclType::Find(const TextValue& name)
{
    for (const NcclType& type : GetTypes())
    {
        if (type.name == name.GetText())
        {
            return type;
        }
    }
    RefuseName(name, GetTypes(), "one of ");
}

NcclSize
NcclSize::Round(const NcclTest& test, uint64_t bytes, const NcclType& type, uint32_t ranks)
{
    const uint64_t elements = bytes / type.bytes;
    if (!test.isShared)
    {
        return {elements, elements * type.bytes};
    }
    const uint64_t multiple = std::max<uint64_t>(1, PART_ALIGNMENT / type.bytes);
    const uint64_t part = elements / ranks / multiple * multiple;
    return {part, part * ranks * type.bytes};
}

uint64_t
NcclSizeRange::GetCount() const
{
    uint64_t count = 1;
    for (uint64_t size = min; count <= MAX_COUNT; count++)
    {
        const bool isLast = factor > 0 ? size > max / factor : step > max - size;
        if (isLast || (factor > 0 ? size : step) == 0)
        {
            return count;
        }
        size = factor > 0 ? size * factor : size + step;
    }
    return count;
}

std::vector<uint64_t>
NcclSizeRange::GetSizes() const
{
    std::vector<uint64_t> sizes{min};
    for (uint64_t count = GetCount(); sizes.size() < count;)
    {
        sizes.push_back(factor > 0 ? sizes.back() * factor : sizes.back() + step);
    }
    return sizes;
}

uint64_t
ReadNcclBytes(const TextValue& text)
{
    const auto bytes = ParseBytes(text.GetText());
    const unsigned __int128 product = bytes ? bytes->digits * bytes->unit : 1;
    if (!bytes || product % bytes->divisor != 0 || product / bytes->divisor > MAX_BYTES)
    {
        text.Fail("a whole number of bytes from 0 to 2^50, such as 8, 32K or 1.5G (K, M, G and T "
                  "are powers of 1024)");
    }
    return static_cast<uint64_t>(product / bytes->divisor);
}

} // namespace ns3
