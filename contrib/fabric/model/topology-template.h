/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TOPOLOGY_TEMPLATE_H
#define TOPOLOGY_TEMPLATE_H

#include "topology-parameters.h"
#include "topology.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A parameterised cluster: a JSON file that declares parameters and names the
 * TopologyStructure that builds from them (doc/formats/topology-template.md).
 *
 * Templates lie in the folder that the environment variable RAILYARD_TEMPLATES names, and in
 * topology-templates/ of the source tree; the first wins. Server descriptions lie in servers/
 * therein.
 */
class TopologyTemplate
{
  public:
    /**
     * \param path a template file
     * \return the template; a ConfigError with file and key if it is wrong
     */
    static TopologyTemplate Read(const std::string& path);

    /** \return its name: "fat-tree" */
    const std::string& GetName() const;

    /** \return what it builds, in one line */
    const std::string& GetDoc() const;

    /** \return its parameters, in order of declaration */
    const std::vector<TopologyParameter>& GetParameters() const;

    /**
     * \param source template and values as the user gave them, for errors and Topology::source
     * \param given values by parameter name or alias
     * \return the topology; a ConfigError that lists the parameters if one is unknown
     */
    Topology Build(const std::string& source,
                   const std::map<std::string, std::string>& given = {}) const;

  private:
    /**
     * Adds the declarations of a file.
     * \param json the template, or a file that it includes
     */
    void AddParameters(const JsonObject& json);

    /**
     * Replaces defaults of declared parameters.
     * \param json the template
     */
    void ReplaceDefaults(const JsonObject& json);

    std::string m_name;                          //!< name
    std::string m_doc;                           //!< what it builds
    std::string m_structure;                     //!< TypeId name of the structure
    std::vector<TopologyParameter> m_parameters; //!< in order of declaration
};

/**
 * \ingroup fabric
 * \param name name of a template, or path of a template file (with a slash, or ending in .json)
 * \return path of the file, empty if there is no such template
 */
std::string FindTopologyTemplate(const std::string& name);

/**
 * \ingroup fabric
 * \param source what names the server, for errors
 * \param name name of a server description, or path of a file (with a slash, or ending in .json or
 * .xml)
 * \return path of the file; a ConfigError that lists the known ones if there is none
 */
std::string FindTopologyServer(const std::string& source, const std::string& name);

/** \ingroup fabric \return names of all templates, in alphabetical order */
std::vector<std::string> GetTopologyTemplateNames();

/** \ingroup fabric \return names of all server descriptions, in alphabetical order */
std::vector<std::string> GetTopologyServerNames();

} // namespace ns3

#endif /* TOPOLOGY_TEMPLATE_H */
