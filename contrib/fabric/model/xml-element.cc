/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "xml-element.h"

#include "config-error.h"

#include <algorithm>
#ifdef RAILYARD_LIBXML2
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits>
#endif

namespace ns3
{

#ifdef RAILYARD_LIBXML2

/** \ingroup fabric \brief Makes XmlElements of what libxml2 has read. */
class XmlElementBuilder
{
  public:
    /**
     * \param file name of the file
     * \param node an element
     * \return it
     */
    static XmlElement Build(const std::shared_ptr<const std::string>& file, xmlNode* node)
    {
        XmlElement element;
        element.m_file = file;
        element.m_name = ToText(node->name);
        element.m_line = xmlGetLineNo(node);
        for (xmlAttr* attribute = node->properties; attribute; attribute = attribute->next)
        {
            const std::unique_ptr<xmlChar, void (*)(void*)> value(
                xmlNodeListGetString(node->doc, attribute->children, 1),
                xmlFree);
            element.m_attributes[ToText(attribute->name)] = value ? ToText(value.get()) : "";
        }
        for (xmlNode* child = node->children; child; child = child->next)
        {
            if (child->type == XML_ELEMENT_NODE)
            {
                element.m_children.push_back(Build(file, child));
            }
        }
        return element;
    }

  private:
    /** \param text a string of libxml2 \return it */
    static std::string ToText(const xmlChar* text)
    {
        return reinterpret_cast<const char*>(text);
    }
};

namespace
{

/** What libxml2 had to say first. */
struct XmlComplaint
{
    std::string reason; //!< on one line, empty if there was nothing
    uint64_t line{1};   //!< line
};

/**
 * \param error an error of libxml2
 * \param [out] complaint gets it, unless it has an earlier one: later ones follow from the first
 */
void
Note(const xmlError& error, XmlComplaint& complaint)
{
    if (!complaint.reason.empty() || error.level == XML_ERR_WARNING)
    {
        return;
    }
    std::string reason = error.message ? error.message : "an error";
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    while (!reason.empty() && reason.back() == ' ')
    {
        reason.pop_back();
    }
    complaint.reason = reason;
    complaint.line = error.line;
}

} // namespace

XmlElement
XmlElement::Parse(const TextFile& file)
{
    const std::string& text = file.GetText();
    const std::size_t dtd = text.find("<!DOCTYPE");
    if (dtd != std::string::npos)
    {
        const uint64_t line = 1 + std::count(text.begin(), text.begin() + dtd, '\n');
        throw ConfigError(file.GetName(), line, "<!DOCTYPE", "XML without a document type");
    }
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    {
        throw ConfigError(file.GetName(), "", std::to_string(text.size()) + " bytes", "less XML");
    }
    const std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxt*)> context(xmlNewParserCtxt(),
                                                                           xmlFreeParserCtxt);
    XmlComplaint complaint;
    context->_private = &complaint;
    // The type of error differs between versions of libxml2.
    context->sax->serror = [](void* data, auto error) {
        auto* parser = static_cast<xmlParserCtxt*>(data);
        Note(*error, *static_cast<XmlComplaint*>(parser->_private));
    };
    const std::unique_ptr<xmlDoc, void (*)(xmlDoc*)> document(
        xmlCtxtReadMemory(context.get(),
                          text.data(),
                          text.size(),
                          nullptr,
                          nullptr,
                          XML_PARSE_NONET | XML_PARSE_BIG_LINES),
        xmlFreeDoc);
    xmlNode* root = document ? xmlDocGetRootElement(document.get()) : nullptr;
    if (!root)
    {
        throw ConfigError(file.GetName(),
                          complaint.line,
                          complaint.reason.empty() ? "no element" : complaint.reason,
                          "an XML document");
    }
    return XmlElementBuilder::Build(std::make_shared<const std::string>(file.GetName()), root);
}

#else

XmlElement
XmlElement::Parse(const TextFile& file)
{
    throw ConfigError(file.GetName(),
                      "",
                      "XML",
                      "a build with libxml2 (install libxml2-dev and build again)");
}

#endif

const std::string&
XmlElement::GetName() const
{
    return m_name;
}

uint64_t
XmlElement::GetLine() const
{
    return m_line;
}

const std::vector<XmlElement>&
XmlElement::GetChildren() const
{
    return m_children;
}

bool
XmlElement::Has(const std::string& name) const
{
    return m_attributes.count(name) != 0;
}

TextValue
XmlElement::Get(const std::string& name) const
{
    const auto found = m_attributes.find(name);
    if (found == m_attributes.end())
    {
        Fail("<" + m_name + "> without " + name, "this attribute");
    }
    return TextValue(*m_file, m_line, found->second);
}

std::string
XmlElement::GetText(const std::string& name, const std::string& otherwise) const
{
    const auto found = m_attributes.find(name);
    return found == m_attributes.end() ? otherwise : found->second;
}

void
XmlElement::Fail(const std::string& value, const std::string& expected) const
{
    throw ConfigError(*m_file, m_line, value, expected);
}

} // namespace ns3
