/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scoped-defaults.h"

#include "ns3/abort.h"

namespace ns3
{

ScopedDefaults::~ScopedDefaults()
{
    for (auto saved = m_saved.rbegin(); saved != m_saved.rend(); ++saved)
    {
        saved->type.SetAttributeInitialValue(saved->index, saved->value);
    }
}

void
ScopedDefaults::Set(const std::string& name, const AttributeValue& value)
{
    const std::size_t split = name.rfind("::");
    NS_ABORT_MSG_IF(split == std::string::npos, name << " is not <class>::<attribute>");
    const TypeId type = TypeId::LookupByName(name.substr(0, split));
    for (std::size_t i = 0; i < type.GetAttributeN(); i++)
    {
        const TypeId::AttributeInformation info = type.GetAttribute(i);
        if (info.name == name.substr(split + 2))
        {
            const Ptr<AttributeValue> valid = info.checker->CreateValidValue(value);
            NS_ABORT_MSG_IF(!valid, name << " does not allow this value");
            Set(type, i, *valid);
            return;
        }
    }
    NS_ABORT_MSG(type.GetName() << " itself has no attribute " << name.substr(split + 2));
}

void
ScopedDefaults::Set(TypeId type, std::size_t index, const AttributeValue& value)
{
    m_saved.push_back({type, index, type.GetAttribute(index).initialValue});
    type.SetAttributeInitialValue(index, value.Copy());
}

} // namespace ns3
