/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TEMPLATE_FOLDERS_H
#define TEMPLATE_FOLDERS_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \return the folders that may hold topology templates and what belongs to them, the first to win
 * first: the one that the environment variable RAILYARD_TEMPLATES names, then topology-templates/
 * of the source tree
 */
std::vector<std::string> GetTemplateFolders();

/**
 * \ingroup fabric
 * \param name a file, relative to a template folder
 * \return the first such file, empty if there is none
 */
std::string FindInTemplateFolders(const std::string& name);

/**
 * \ingroup fabric
 * \param subfolder folder inside the template folders, empty for themselves
 * \return names of the JSON files in it without their extension, in alphabetical order
 */
std::vector<std::string> GetTemplateNames(const std::string& subfolder);

} // namespace ns3

#endif /* TEMPLATE_FOLDERS_H */
