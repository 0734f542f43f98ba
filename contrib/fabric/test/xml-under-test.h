/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef XML_UNDER_TEST_H
#define XML_UNDER_TEST_H

#include "ns3/config-error.h"
#include "ns3/xml-element.h"

#include <gtest/gtest.h>

namespace ns3
{

/** \ingroup tests \return true if this build reads XML */
inline bool
CanReadXml()
{
    try
    {
        XmlElement::Parse(TextFile::FromString("test", "<a/>"));
        return true;
    }
    catch (const ConfigError&)
    {
        return false;
    }
}

} // namespace ns3

/** \ingroup tests Skips the present test in a build without libxml2; stands in the test itself. */
#define RAILYARD_NEED_XML()                                                                        \
    if (!ns3::CanReadXml())                                                                        \
    GTEST_SKIP() << "built without libxml2: install libxml2-dev"

#endif /* XML_UNDER_TEST_H */
