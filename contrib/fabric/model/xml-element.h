/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef XML_ELEMENT_H
#define XML_ELEMENT_H

#include "text-scanner.h"
#include "text-value.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief An element of an XML file: its attributes and the elements inside it, with their lines.
 *
 * Text between elements, comments and processing instructions are left out. Read by libxml2, which
 * keeps to the standard (doc/adr/0005-libxml2.md); a build without it refuses XML.
 */
class XmlElement
{
  public:
    /**
     * \param file an XML document
     * \return its root; a ConfigError with file and line if it is not well-formed or declares a
     * document type
     */
    static XmlElement Parse(const TextFile& file);

    /** \return its name: "pci" */
    const std::string& GetName() const;

    /** \return the line that it begins in, counted from 1 */
    uint64_t GetLine() const;

    /** \return the elements inside it, in order */
    const std::vector<XmlElement>& GetChildren() const;

    /** \param name an attribute \return true if it has it */
    bool Has(const std::string& name) const;

    /**
     * \param name an attribute
     * \return its value, ready to be read as a type; a ConfigError if it is missing. It views this
     * element.
     */
    TextValue Get(const std::string& name) const;

    /**
     * \param name an attribute
     * \param otherwise what to return if it is missing
     * \return its text
     */
    std::string GetText(const std::string& name, const std::string& otherwise = "") const;

    /**
     * \param value what was read
     * \param expected what was expected instead, as a phrase
     */
    [[noreturn]] void Fail(const std::string& value, const std::string& expected) const;

  private:
    friend class XmlElementBuilder;

    std::shared_ptr<const std::string> m_file;       //!< name of the file
    std::string m_name;                              //!< name
    uint64_t m_line{0};                              //!< line
    std::map<std::string, std::string> m_attributes; //!< by name
    std::vector<XmlElement> m_children;              //!< elements inside
};

} // namespace ns3

#endif /* XML_ELEMENT_H */
