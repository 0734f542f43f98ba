/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TOPOLOGY_PARAMETERS_H
#define TOPOLOGY_PARAMETERS_H

#include "text-value.h"
#include "topology-server.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

class JsonObject;

/**
 * \ingroup fabric
 * \brief A parameter as a topology template declares it.
 */
struct TopologyParameter
{
    std::string name;                 //!< "gpus"
    std::vector<std::string> aliases; //!< other names for it: "hosts"
    std::string type;                 //!< "integer", "number", "rate", "time" or "server"
    std::string unit;                 //!< what is counted: "GPUs"; empty for rates and times
    std::string doc;                  //!< one line
    std::string defaultText;          //!< default, as it would be typed
    std::string defaultFrom; //!< instead: another parameter, or "server." and a server's default
    double minimum{0.0};     //!< smallest value, of integers and numbers
    double maximum{0.0};     //!< largest value, of integers and numbers

    /**
     * \param json a declaration
     * \return the parameter
     */
    static TopologyParameter Read(const JsonObject& json);

    /**
     * Checks a value; a ConfigError if it is not of this type or out of range.
     * \param value a value
     */
    void Check(const TextValue& value) const;
};

/**
 * \ingroup fabric
 * \brief The values of a template's parameters: what a TopologyStructure builds from.
 *
 * Every accessor returns a value that was checked when the object was made. The object remembers
 * which parameters were asked for, so that one that the user gave to no effect is found.
 */
class TopologyParameters
{
  public:
    /**
     * \param source template and values as the user gave them, for errors
     * \param declared parameters that the template declares
     * \param given values that the user gave, by name or alias
     */
    TopologyParameters(const std::string& source,
                       const std::vector<TopologyParameter>& declared,
                       const std::map<std::string, std::string>& given);

    /** \return template and values as the user gave them */
    const std::string& GetSource() const;

    /** \param name an integer parameter \return its value */
    uint64_t GetUint(const std::string& name) const;

    /**
     * \param name an integer parameter that a template need not declare
     * \param otherwise what it is then
     * \return its value
     */
    uint64_t GetUint(const std::string& name, uint64_t otherwise) const;

    /** \param name a number parameter \return its value */
    double GetDouble(const std::string& name) const;

    /**
     * \param name a number parameter that a template need not declare
     * \param otherwise what it is then
     * \return its value
     */
    double GetDouble(const std::string& name, double otherwise) const;

    /** \param name a rate parameter \return its value */
    DataRate GetDataRate(const std::string& name) const;

    /** \param name a time parameter \return its value */
    Time GetTime(const std::string& name) const;

    /** \return the kind of server, which the parameter "server" names */
    const TopologyServer& GetServer() const;

    /** Throws a ConfigError if the user gave a parameter that no accessor was asked for. */
    void RequireAllUsed() const;

    /**
     * \param name a parameter whose value does not go with the others
     * \param expected what was expected instead, as a phrase
     */
    [[noreturn]] void Fail(const std::string& name, const std::string& expected) const;

  private:
    /**
     * \param name a parameter
     * \return its value, marked as used; a ConfigError if it has none
     */
    TextValue Get(const std::string& name) const;

    /**
     * \param declared parameters that the template declares
     * \param name a name or alias that the user gave
     * \return the parameter's name; a ConfigError that lists all names if there is none
     */
    std::string FindName(const std::vector<TopologyParameter>& declared,
                         const std::string& name) const;

    /**
     * Gives a parameter that the user left out its default.
     * \param parameter the parameter; those that it depends on come before it
     */
    void SetDefault(const TopologyParameter& parameter);

    std::string m_source;                        //!< as the user gave it
    std::map<std::string, std::string> m_values; //!< by name
    std::map<std::string, std::string> m_origins; //!< by name: where the default is taken from
    TopologyServer m_server;                     //!< the kind of server
    std::set<std::string> m_given;               //!< names that the user gave
    mutable std::set<std::string> m_used;        //!< names that were asked for
};

} // namespace ns3

#endif /* TOPOLOGY_PARAMETERS_H */
