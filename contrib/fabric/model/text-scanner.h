/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TEXT_SCANNER_H
#define TEXT_SCANNER_H

#include "text-value.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief What a TextFile holds; shared by its lines. */
struct TextFileContent;

/**
 * \ingroup fabric
 * \brief A line of a TextFile: its words, split at blanks, tabs and carriage returns.
 *
 * A handle: the TextFile, or a copy of it, must outlive it.
 */
class TextLine
{
  public:
    /** \return the line's number, counted from 1 */
    uint64_t GetNumber() const;

    /** \return the number of words, 0 for a blank line */
    std::size_t GetCount() const;

    /** \return true if the line has no word */
    bool IsBlank() const;

    /** \return the line from its first word to the end of its last, as it stands in the file */
    std::string_view GetText() const;

    /**
     * \param i word, 0 .. GetCount()-1
     * \return the word
     */
    std::string_view GetWord(std::size_t i) const;

    /**
     * \param i field, counted from 0
     * \return the word, ready to be read as a type; a ConfigError if the line is too short
     */
    TextValue Get(std::size_t i) const;

    /**
     * \param count number of words that the line must have
     * \param fields names of the fields, for the error ("source, destination, rate")
     */
    void RequireCount(std::size_t count, std::string_view fields) const;

    /**
     * \param expected what was expected instead of this line, as a phrase
     */
    [[noreturn]] void Fail(const std::string& expected) const;

  private:
    friend class TextFile;

    /**
     * \param content the file
     * \param index line, counted from 0
     */
    TextLine(const TextFileContent* content, std::size_t index);

    const TextFileContent* m_content; //!< the file
    std::size_t m_index;              //!< line, counted from 0
};

/**
 * \ingroup fabric
 * \brief A text file, read as a whole and split into lines and words.
 *
 * Words end at blanks, tabs and carriage returns, so CRLF and LF files read alike; a UTF-8 byte
 * order mark is skipped. A file that is missing, a folder, empty or binary is a ConfigError.
 */
class TextFile
{
  public:
    /**
     * \param path the file
     */
    explicit TextFile(const std::string& path);

    /**
     * \param name what to call the text in errors
     * \param text the text
     * \return the text as if it had been read from a file
     */
    static TextFile FromString(const std::string& name, std::string text);

    /** \return the path, or the name given to FromString() */
    const std::string& GetName() const;

    /** \return the whole text */
    const std::string& GetText() const;

    /** \return the number of lines */
    std::size_t GetLineCount() const;

    /**
     * \param i line, counted from 0
     * \return the line
     */
    TextLine GetLine(std::size_t i) const;

    /**
     * \param i line to start at, counted from 0
     * \return the first line from there on that is not blank, GetLineCount() if there is none
     */
    std::size_t FindText(std::size_t i) const;

  private:
    TextFile() = default;

    std::shared_ptr<const TextFileContent> m_content; //!< text, lines and words
};

/**
 * \ingroup fabric
 * \brief Reads a TextFile word by word, over line ends: for formats that were made for
 * `std::istream >> value`.
 */
class TextScanner
{
  public:
    /**
     * \param file the text to read
     */
    explicit TextScanner(TextFile file);

    /** \return true if no word is left */
    bool AtEnd();

    /**
     * \param what name of the value, for the error if the file ends here
     * \return the next word, which is taken
     */
    TextValue Next(std::string_view what);

    /**
     * \param what name of the value, for the error if the file ends here
     * \return the next word, which stays
     */
    TextValue Peek(std::string_view what);

    /** Drops the words left in the line of the word taken last. */
    void SkipLine();

    /** \return the line of the word taken last, counted from 1; 0 before the first */
    uint64_t GetLineNumber() const;

  private:
    TextFile m_file;              //!< the text
    std::size_t m_line{0};        //!< line of the next word, counted from 0
    std::size_t m_word{0};        //!< next word in that line
    uint64_t m_lastLineNumber{0}; //!< line of the word taken last, counted from 1
};

/** \ingroup fabric \param text some bytes \return whether they are UTF-8 (RFC 3629) */
bool IsUtf8(std::string_view text);

} // namespace ns3

#endif /* TEXT_SCANNER_H */
