/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARDWARE_TABLE_H
#define HARDWARE_TABLE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief The physical parameters of GPUs, links and NICs, by generation, each with its source
 * (doc/formats/hardware.md).
 *
 * A parameter is named by section, entry and key: "nvlink", "4", "linkRate". The table does not
 * know which there are: a new one is a line of the file and a call where it is used.
 */
class HardwareTable
{
  public:
    /**
     * \return the table in use: parameters/hardware.json of the first template folder that has it
     */
    static HardwareTable Load();

    /**
     * \param path a file; a ConfigError with file and key if it is wrong
     */
    explicit HardwareTable(const std::string& path);

    /**
     * \param section a section
     * \return names of its entries, in alphabetical order
     */
    std::vector<std::string> GetNames(const std::string& section) const;

    /**
     * \param section a section
     * \param name an entry
     * \return true if there is such an entry
     */
    bool Has(const std::string& section, const std::string& name) const;

    /**
     * \param section a section
     * \param name an entry
     * \param key a parameter
     * \return true if the entry has it
     */
    bool Has(const std::string& section, const std::string& name, const std::string& key) const;

    /**
     * \param section a section
     * \param name an entry
     * \param key a parameter
     * \return its value as it would be typed; a ConfigError that names it if it is missing, as for
     * all accessors
     */
    const std::string& GetText(const std::string& section,
                               const std::string& name,
                               const std::string& key) const;

    /**
     * \param section a section
     * \param name an entry
     * \param key a parameter
     * \return where its value comes from
     */
    const std::string& GetSource(const std::string& section,
                                 const std::string& name,
                                 const std::string& key) const;

    /** \param section a section \param name an entry \param key a count \return it */
    uint64_t GetUint(const std::string& section,
                     const std::string& name,
                     const std::string& key) const;

    /** \param section a section \param name an entry \param key a number \return it */
    double GetDouble(const std::string& section,
                     const std::string& name,
                     const std::string& key) const;

    /** \param section a section \param name an entry \param key a truth value \return it */
    bool GetBool(const std::string& section, const std::string& name, const std::string& key) const;

    /** \param section a section \param name an entry \param key a rate \return it */
    DataRate GetDataRate(const std::string& section,
                         const std::string& name,
                         const std::string& key) const;

    /** \param section a section \param name an entry \param key a time \return it */
    Time GetTime(const std::string& section, const std::string& name, const std::string& key) const;

  private:
    /** A parameter. */
    struct Entry
    {
        std::string value;  //!< as it would be typed
        std::string source; //!< where it comes from
    };

    /**
     * \param section a section
     * \param name an entry
     * \param key a parameter
     * \return where it stands in the file: "nvlink.4.linkRate"
     */
    static std::string GetPlace(const std::string& section,
                                const std::string& name,
                                const std::string& key);

    /**
     * \param place where a parameter stands
     * \return it; a ConfigError if it is missing
     */
    const Entry& Find(const std::string& place) const;

    std::string m_path;                                         //!< file
    std::map<std::string, Entry> m_entries;                     //!< by place
    std::map<std::string, std::vector<std::string>> m_sections; //!< names by section
};

} // namespace ns3

#endif /* HARDWARE_TABLE_H */
