/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "xml-under-test.h"

#include "ns3/config-error.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** \param text a document \return its root */
XmlElement
Parse(const std::string& text)
{
    return XmlElement::Parse(TextFile::FromString("file.xml", text));
}

} // namespace

TEST(FabricXmlElement, ReadsElementsAttributesAndLines)
{
    RAILYARD_NEED_XML();
    const XmlElement root = Parse("<?xml version=\"1.0\"?>\n<!-- a\ncomment -->\n"
                                  "<system version='1'>text\n  <cpu a=\"1\" b=\"&lt;&#65;\"/>\n"
                                  "  <!-- <pci/> -->\n  <cpu><pci\n/></cpu>\n</system>\n");
    EXPECT_EQ(root.GetName(), "system");
    EXPECT_EQ(root.GetLine(), 4U);
    EXPECT_EQ(root.Get("version").GetUint("version"), 1U);
    ASSERT_EQ(root.GetChildren().size(), 2U);
    const XmlElement& cpu = root.GetChildren()[0];
    EXPECT_EQ(cpu.GetLine(), 5U);
    EXPECT_TRUE(cpu.Has("a"));
    EXPECT_FALSE(cpu.Has("c"));
    EXPECT_EQ(cpu.GetText("b"), "<A");
    EXPECT_EQ(cpu.GetText("c", "none"), "none");
    EXPECT_EQ(root.GetChildren()[1].GetChildren()[0].GetName(), "pci");
    try
    {
        cpu.Get("c");
        FAIL() << "found what is not there";
    }
    catch (const ConfigError& error)
    {
        EXPECT_STREQ(error.what(),
                     "file.xml: line 5: read '<cpu> without c', expected this attribute");
    }
}

TEST(FabricXmlElement, RefusesWhatIsNoXml)
{
    RAILYARD_NEED_XML();
    const std::pair<const char*, const char*> cases[] = {
        {"<a>\n<b>\n</a>\n", "file.xml: line 3: "},
        {"<a>\n<b/>\n", "file.xml: line "},
        {"<a b=1/>", "file.xml: line 1: "},
        {"<a\nb='1' b='2'/>", "file.xml: line 2: "},
        {"<a/><b/>", "file.xml: line 1: "},
        {"text", "an XML document"},
        {"<a>&b;</a>", "an XML document"},
        {"\n<!DOCTYPE a [<!ENTITY b \"c\">]>\n<a>&b;</a>",
         "line 2: read '<!DOCTYPE', expected XML without a document type"},
    };
    for (const auto& [text, expected] : cases)
    {
        try
        {
            Parse(text);
            ADD_FAILURE() << "accepted " << text;
        }
        catch (const ConfigError& error)
        {
            const std::string what = error.what();
            EXPECT_NE(what.find(expected), std::string::npos) << what;
            EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        }
    }
    std::string deep;
    for (int i = 0; i < 100000; i++)
    {
        deep += "<a>";
    }
    EXPECT_THROW(Parse(deep), ConfigError);
}
