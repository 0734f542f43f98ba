/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_VARIABLES_H
#define NCCL_VARIABLES_H

#include "ns3/scoped-defaults.h"
#include "ns3/text-value.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Variables of NCCL and MSCCL by name, with their values, and the attributes that they stand
 * for: as options of a program, or as a cluster's operator sets them.
 */
class NcclVariables
{
  public:
    /** \brief A variable that has an effect here. */
    struct Description
    {
        const char* name; //!< of the variable
        const char* help; //!< one line
        /** What it sets is NcclSelector's; others go with any selector. */
        bool isOfSelector;
    };

    /** Files that values name lie where the program runs. */
    NcclVariables() = default;
    /** \param folder where files lie that values name */
    explicit NcclVariables(const std::string& folder);

    /** \return all that have an effect: of NcclSelector, of NICs and ways between them, of MSCCL */
    static const std::vector<Description>& GetAll();

    /** \param name a name \return whether a variable that has an effect here is called so */
    static bool IsKnown(const std::string& name);

    /**
     * \param name name of a variable that IsKnown() and has no value yet
     * \param value its value; errors name its place
     */
    void Add(const std::string& name, const TextValue& value);

    /** \return whether one asks for what NcclSelector alone can do */
    bool WantsNccl() const;

    /**
     * \param defaults gets what the variables stand for; a ConfigError if one has a wrong value
     */
    void Apply(ScopedDefaults& defaults) const;

  private:
    /** A value, and where it stands. */
    struct Value
    {
        std::string source; //!< file, or command line
        std::string place;  //!< key, or option
        std::string text;   //!< the value
    };

    /** \brief What a variable names. */
    enum class PathKind
    {
        FILE,   //!< one file
        FILES,  //!< several, with colons or commas between them
        FOLDER, //!< one folder
    };

    /** \param name a variable \return whether it has a value */
    bool Has(const std::string& name) const;
    /** \param name a variable that has a value \return the value, valid as long as this object */
    TextValue Get(const std::string& name) const;
    /** \param name a variable that has a value \return the value, as text */
    const std::string& GetText(const std::string& name) const;

    /**
     * \param name a variable that has a value, which names files or folders
     * \param kind what it names
     * \return their paths, at least one; a ConfigError if one does not exist
     */
    std::vector<std::string> FindFiles(const std::string& name, PathKind kind) const;

    /** \param defaults gets what they say of PXN */
    void ApplyPxn(ScopedDefaults& defaults) const;
    /** \param defaults gets what may be chosen */
    void ApplyRestrictions(ScopedDefaults& defaults) const;
    /** \param defaults gets how many channels there may be */
    void ApplyChannels(ScopedDefaults& defaults) const;
    /** \param defaults gets slices and chunks of buffers */
    void ApplyBuffer(ScopedDefaults& defaults) const;
    /** \param defaults gets what NICs and switches do */
    void ApplyNetwork(ScopedDefaults& defaults) const;
    /** \param defaults gets the files of MSCCL, if there are any */
    void ApplyFiles(ScopedDefaults& defaults) const;

    std::string m_folder;                  //!< where files lie
    std::map<std::string, Value> m_values; //!< by name
};

} // namespace ns3

#endif /* NCCL_VARIABLES_H */
