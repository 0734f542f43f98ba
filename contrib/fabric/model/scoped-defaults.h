/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SCOPED_DEFAULTS_H
#define SCOPED_DEFAULTS_H

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Other defaults of ns-3 attributes, as long as the object lives.
 *
 * Config::SetDefault holds until the process ends, so that one run would change the next. Of two
 * such objects the later one has to go first.
 */
class ScopedDefaults
{
  public:
    ScopedDefaults() = default;
    /** Gives every attribute the default back that it had. */
    ~ScopedDefaults();
    ScopedDefaults(const ScopedDefaults&) = delete;
    ScopedDefaults& operator=(const ScopedDefaults&) = delete;

    /**
     * Aborts if there is no such attribute or if it does not allow the value.
     * \param name full name: ns3::<class>::<attribute>
     * \param value for objects to come
     */
    void Set(const std::string& name, const AttributeValue& value);

    /**
     * The same for an attribute that was found before.
     * \param type the class that defines it
     * \param index its number there
     * \param value for objects to come; the attribute's checker allows it
     */
    void Set(TypeId type, std::size_t index, const AttributeValue& value);

  private:
    /** A default as it was. */
    struct Saved
    {
        TypeId type;                     //!< class
        std::size_t index;               //!< number of the attribute
        Ptr<const AttributeValue> value; //!< default before
    };

    std::vector<Saved> m_saved; //!< in the order set
};

} // namespace ns3

#endif /* SCOPED_DEFAULTS_H */
