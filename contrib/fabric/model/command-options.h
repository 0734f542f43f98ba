/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COMMAND_OPTIONS_H
#define COMMAND_OPTIONS_H

#include "scoped-defaults.h"
#include "text-value.h"

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Options of a program, `--name=value`, with errors as ConfigError.
 *
 * ns-3's CommandLine ends the process with status 1 and a page of help when an option is wrong;
 * programs here answer with one line and status 2. Every program also takes --help, --list for the
 * classes that can be named, --attributes=<class>, and --set=<class>::<attribute>=<value> (or
 * --<class>::<attribute>=<value>, as ns-3 does) for the default of any ns-3 attribute. An option or
 * attribute that is given twice is an error.
 *
 * A program may take over the command line of another one by giving options letters: `-b 8`, `-b8`,
 * `-b=8` and `--minbytes 8` are then `--minbytes=8`.
 */
class CommandOptions
{
  public:
    /** \param usage one line that says what the program does */
    explicit CommandOptions(const std::string& usage);

    /**
     * \param name the option, without dashes
     * \param help one line
     * \param value what it is if it is not given
     */
    void Add(const std::string& name, const std::string& help, const std::string& value = "");

    /**
     * \param letter an option by itself, with a value in the same or the next word
     * \param name the option that it stands for, added before
     */
    void AddLetter(char letter, const std::string& name);

    /**
     * The command line may have an option or the attribute that it sets, not both; where it has the
     * attribute, its value is that of the option in GetEffective().
     * \param name the option, added before
     * \param attribute full name of the attribute
     */
    void StandFor(const std::string& name, const std::string& attribute);

    /**
     * Reads the command line.
     * \param argc number of arguments
     * \param argv the arguments
     * \return false if help was asked for: PrintHelp() and end with status 0
     */
    bool Parse(int argc, char* argv[]);

    /**
     * Gives an option a value that stands elsewhere than on the command line.
     * \param name an option, which there must be; a ConfigError if it has a value
     * \param value its value, under a key: errors name file and key instead of the option
     */
    void Set(const std::string& name, const TextValue& value);

    /**
     * Sets the ns-3 attributes that were given; a ConfigError says what is wrong with one.
     * \param defaults what they are set in
     */
    void ApplyAttributes(ScopedDefaults& defaults) const;

    /**
     * Refuses an attribute that would have no effect.
     * \param attribute full name; a ConfigError if the command line sets it
     * \param expected what the command line should say instead
     */
    void RefuseAttribute(const std::string& attribute, const std::string& expected) const;

    /** \param name an option \return its value */
    const std::string& Get(const std::string& name) const;

    /**
     * \param name an option
     * \return its value, to be converted while this object lives; errors name the option, or the
     * place that Set() has it from
     */
    TextValue GetValue(const std::string& name) const;

    /** \param name some name \return whether there is such an option */
    bool Has(const std::string& name) const;

    /** \return full names of the attributes that the command line sets, in the order given */
    std::vector<std::string> GetGivenAttributes() const;

    /** \param name an option \return whether the command line has it, or Set() gave it */
    bool IsGiven(const std::string& name) const;

    /**
     * \return what holds, given or not: every option with its value in the order added, then every
     * attribute that was set, by its full name
     */
    std::vector<std::pair<std::string, std::string>> GetEffective() const;

    /** \param out where to print the help, or what --list or --attributes asked for */
    void PrintHelp(std::ostream& out) const;

  private:
    /** An option. */
    struct Option
    {
        std::string name;   //!< without dashes
        std::string flag;   //!< with dashes
        std::string help;   //!< one line
        std::string attribute; //!< that it sets, empty for none
        std::string value;  //!< given or default
        std::string source; //!< of the value: command line, or a file
        std::string place;  //!< in the source: flag, or a key
        bool given{false};  //!< the value is no default
        char letter{0};     //!< short form, 0 for none
    };

    /** \param name an option, which there must be \return the option */
    Option& Find(const std::string& name);
    /** \copydoc Find */
    const Option& Find(const std::string& name) const;
    /**
     * Throws ConfigError if the argument is not known, or given before.
     * \param argument one argument
     * \param next the one behind it, nullptr for none
     * \return whether the next one was the value
     */
    bool ParseOne(const std::string& argument, const char* next);
    /**
     * \param argument one argument \param next the one behind it, nullptr for none
     * \return whether the argument is an option with a letter, and the next one was its value
     */
    std::optional<bool> ParseLettered(const std::string& argument, const char* next);
    /** \param argument --name=value */
    void ParseNamed(const std::string& argument);
    /** \param option an option \param value its value; a ConfigError if it has one */
    static void Give(Option& option, const TextValue& value);
    /** \param name an attribute, with or without ns3:: in front \param value its value */
    void AddAttribute(const std::string& name, const std::string& value);
    /** Refuses options beside the attributes that they set. */
    void RefuseBoth() const;
    /** \param out where to print all options */
    void PrintOptions(std::ostream& out) const;

    std::string m_usage;           //!< one line
    std::vector<Option> m_options; //!< in the order added
    /** Attributes, as they were written, and their values. */
    std::vector<std::pair<std::string, std::string>> m_attributes;
    std::function<void(std::ostream&)> m_request; //!< prints what was asked for instead of a run
};

} // namespace ns3

#endif /* COMMAND_OPTIONS_H */
