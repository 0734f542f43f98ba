/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_ENVIRONMENT_H
#define NCCL_ENVIRONMENT_H

#include "collective-options.h"

#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Variables of NCCL by name, as a cluster's operator sets them: what the options of the same
 * names are for a program.
 */
class NcclEnvironment : private CollectiveOptions
{
  public:
    NcclEnvironment();

    /** \param name a name \return whether a variable that has an effect here is called so */
    static bool Knows(const std::string& name);

    /**
     * Adds a variable; a ConfigError if it has a value.
     * \param name its name, such as NCCL_PROTO; one that Knows() knows
     * \param value its value, under a key of a file, which errors name
     */
    void Add(const std::string& name, const TextValue& value);

    /**
     * \param defaults gets what the variables stand for; a ConfigError if one has a wrong value
     */
    void Apply(ScopedDefaults& defaults) const;
};

} // namespace ns3

#endif /* NCCL_ENVIRONMENT_H */
