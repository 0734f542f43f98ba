/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "text-scanner.h"

#include "config-error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace ns3
{

/** Text, lines and words of a file; words are kept in one array for all lines. */
struct TextFileContent
{
    std::string name;                    //!< path, or what the text is called in errors
    std::string text;                    //!< the whole text
    std::vector<std::string_view> words; //!< all words, in order
    std::vector<std::size_t> firstWord;  //!< by line: its first word; one more entry at the end
};

namespace
{

/**
 * \param c a byte of a file
 * \return true if no text holds it
 */
bool
IsBinary(char c)
{
    const auto u = static_cast<unsigned char>(c);
    return u < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v';
}

/**
 * \param c a byte of a file
 * \return true if it separates words of a line
 */
bool
IsSeparator(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/**
 * \param path a file
 * \return its bytes; a ConfigError if it is missing, a folder, or holds bytes of no text
 */
std::string
ReadTextFile(const std::string& path)
{
    const std::string expected = "a readable text file";
    if (path.empty())
    {
        throw ConfigError("file", "", path, expected + ", not an empty name");
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        throw ConfigError(path, "", "a directory", expected);
    }
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
    {
        const char* reason = errno == 0 ? "no such file" : std::strerror(errno);
        throw ConfigError(path, "", reason, expected);
    }
    std::string text;
    std::vector<char> block(1 << 20);
    while (stream.read(block.data(), block.size()) || stream.gcount() > 0)
    {
        const auto end = block.begin() + stream.gcount();
        if (std::any_of(block.begin(), end, IsBinary))
        {
            throw ConfigError(path, "", "binary data", expected);
        }
        text.append(block.begin(), end);
    }
    return text;
}

/**
 * Splits a text into lines and words.
 *
 * \param content name and text given, lines and words to fill
 */
void
SplitWords(TextFileContent& content)
{
    const std::string_view text = content.text;
    std::size_t i = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0; // UTF-8 byte order mark
    while (i < text.size())
    {
        content.firstWord.push_back(content.words.size());
        for (; i < text.size() && text[i] != '\n'; i++)
        {
            if (IsSeparator(text[i]))
            {
                continue;
            }
            const std::size_t begin = i;
            while (i + 1 < text.size() && text[i + 1] != '\n' && !IsSeparator(text[i + 1]))
            {
                i++;
            }
            content.words.push_back(text.substr(begin, i + 1 - begin));
        }
        i++; // the line end
    }
    content.firstWord.push_back(content.words.size());
    if (content.words.empty())
    {
        throw ConfigError(content.name, "", "an empty file", "a text file with content");
    }
}

} // namespace

bool
IsUtf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();)
    {
        const auto lead = static_cast<unsigned char>(text[i++]);
        const int more = lead < 0x80                  ? 0
                         : lead >= 0xC2 && lead < 0xE0 ? 1
                         : lead >= 0xE0 && lead < 0xF0 ? 2
                         : lead >= 0xF0 && lead < 0xF5 ? 3
                                                       : -1;
        if (more < 0)
        {
            return false;
        }
        uint32_t code = more == 0 ? lead : lead & (0x3FU >> more);
        for (int k = 0; k < more; k++, i++)
        {
            if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80)
            {
                return false;
            }
            code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
        }
        const bool isTooLong = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
        const bool isSurrogate = code >= 0xD800 && code < 0xE000;
        if (isTooLong || isSurrogate || code > 0x10FFFF)
        {
            return false;
        }
    }
    return true;
}

// ---- TextLine ----

TextLine::TextLine(const TextFileContent* content, std::size_t index)
    : m_content(content),
      m_index(index)
{
}

uint64_t
TextLine::GetNumber() const
{
    return m_index + 1;
}

std::size_t
TextLine::GetCount() const
{
    return m_content->firstWord[m_index + 1] - m_content->firstWord[m_index];
}

bool
TextLine::IsBlank() const
{
    return GetCount() == 0;
}

std::string_view
TextLine::GetText() const
{
    if (IsBlank())
    {
        return {};
    }
    const std::string_view last = GetWord(GetCount() - 1);
    const char* begin = GetWord(0).data();
    return {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
}

std::string_view
TextLine::GetWord(std::size_t i) const
{
    return m_content->words[m_content->firstWord[m_index] + i];
}

TextValue
TextLine::Get(std::size_t i) const
{
    if (i >= GetCount())
    {
        Fail("a line with at least " + std::to_string(i + 1) + " fields");
    }
    return TextValue(m_content->name, GetNumber(), GetWord(i));
}

void
TextLine::RequireCount(std::size_t count, std::string_view fields) const
{
    if (GetCount() != count)
    {
        Fail(std::to_string(count) + " fields (" + std::string(fields) + "), not " +
             std::to_string(GetCount()));
    }
}

void
TextLine::Fail(const std::string& expected) const
{
    throw ConfigError(m_content->name, GetNumber(), std::string(GetText()), expected);
}

// ---- TextFile ----

TextFile::TextFile(const std::string& path)
    : TextFile(FromString(path, ReadTextFile(path)))
{
}

TextFile
TextFile::FromString(const std::string& name, std::string text)
{
    auto content = std::make_shared<TextFileContent>();
    content->name = name;
    content->text = std::move(text);
    SplitWords(*content);
    TextFile file;
    file.m_content = content;
    return file;
}

const std::string&
TextFile::GetName() const
{
    return m_content->name;
}

const std::string&
TextFile::GetText() const
{
    return m_content->text;
}

std::size_t
TextFile::GetLineCount() const
{
    return m_content->firstWord.size() - 1;
}

TextLine
TextFile::GetLine(std::size_t i) const
{
    return {m_content.get(), i};
}

std::size_t
TextFile::FindText(std::size_t i) const
{
    while (i < GetLineCount() && GetLine(i).IsBlank())
    {
        i++;
    }
    return i;
}

// ---- TextScanner ----

TextScanner::TextScanner(TextFile file)
    : m_file(std::move(file))
{
}

bool
TextScanner::AtEnd()
{
    while (m_line < m_file.GetLineCount() && m_word >= m_file.GetLine(m_line).GetCount())
    {
        m_line++;
        m_word = 0;
    }
    return m_line >= m_file.GetLineCount();
}

TextValue
TextScanner::Next(std::string_view what)
{
    const TextValue value = Peek(what);
    m_word++;
    m_lastLineNumber = value.GetLine();
    return value;
}

TextValue
TextScanner::Peek(std::string_view what)
{
    if (AtEnd())
    {
        throw ConfigError(m_file.GetName(),
                          m_file.GetLineCount(),
                          "the end of the file",
                          std::string(what));
    }
    return m_file.GetLine(m_line).Get(m_word);
}

void
TextScanner::SkipLine()
{
    if (m_lastLineNumber == m_line + 1)
    {
        m_line++;
        m_word = 0;
    }
}

uint64_t
TextScanner::GetLineNumber() const
{
    return m_lastLineNumber;
}

} // namespace ns3
