/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TYPE_CATALOGUE_H
#define TYPE_CATALOGUE_H

#include "text-value.h"

#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief All registered classes of a kind: congestion controls, load balancers, file readers, ...
 *
 * A class belongs to it if it derives from the base and can be constructed. Its short name is its
 * name without namespace and without the words at its end that the base has too:
 * ns3::DcqcnCongestionControl is the Dcqcn of the ns3::RoceCongestionControl.
 */
class TypeCatalogue
{
  public:
    /** \param base base class of the kind */
    explicit TypeCatalogue(TypeId base);

    /**
     * \param member a class of a kind
     * \return the kind: the farthest ancestor below ns3::Object
     */
    static TypeId GetKind(TypeId member);

    /** \return the bases of all kinds with two classes or more in one of our modules, by name */
    static std::vector<TypeId> GetKinds();

    /** \return the classes, by name */
    std::vector<TypeId> GetTypes() const;

    /** \param type one of the classes \return its short name */
    std::string GetShortName(TypeId type) const;

    /** \return the short names, with commas between them */
    std::string DescribeNames() const;

    /**
     * \param name a short or full name
     * \return the class; a ConfigError lists the names, and the one that was perhaps meant, if
     * there is none
     */
    TypeId Find(const TextValue& name) const;

    /** \return one object of every class, by name of the class \tparam T the base */
    template <class T>
    std::vector<Ptr<T>> CreateAll() const
    {
        std::vector<Ptr<T>> objects;
        for (const TypeId& type : m_types)
        {
            ObjectFactory factory;
            factory.SetTypeId(type);
            objects.push_back(factory.Create<T>());
        }
        return objects;
    }

    /** \param out where to print all kinds with their classes, and the classes with attributes */
    static void PrintAll(std::ostream& out);

  private:
    TypeId m_base;               //!< base class of the kind
    std::vector<TypeId> m_types; //!< the classes, by name
};

/**
 * \ingroup fabric
 * \param word what was written
 * \param choices what could have been
 * \return "; did you mean X?" for the nearest choice, nothing if none is near
 */
std::string SuggestSimilar(const std::string& word, const std::vector<std::string>& choices);

} // namespace ns3

#endif /* TYPE_CATALOGUE_H */
