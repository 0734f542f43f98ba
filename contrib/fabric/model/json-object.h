/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef JSON_OBJECT_H
#define JSON_OBJECT_H

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A JSON object of a file, read strictly: keys that nobody asked for are errors.
 *
 * Used by the readers of topology templates, server descriptions and workloads.
 */
class JsonObject
{
  public:
    /**
     * \param path a JSON file; a ConfigError if it is no JSON object or has a key twice
     */
    explicit JsonObject(const std::string& path);

    /** \return the file */
    const std::string& GetPath() const;

    /** \return where this object stands in the file: "parameters.gpus", empty at the top */
    const std::string& GetPlace() const;

    /** \param key a key \return true if the object has it */
    bool Has(const std::string& key) const;

    /** \return the keys, in alphabetical order */
    std::vector<std::string> GetKeys() const;

    /**
     * \param key a key
     * \return the object there
     */
    JsonObject GetObject(const std::string& key) const;

    /**
     * \param key a key
     * \return its array, of objects; empty if the object lacks the key
     */
    std::vector<JsonObject> GetObjects(const std::string& key) const;

    /**
     * \param key a key
     * \return its string, or its number or truth value as it would be typed
     */
    std::string GetText(const std::string& key) const;

    /**
     * \param key a key
     * \param absent what to return if the object lacks the key
     * \return its string, or its number or truth value as it would be typed
     */
    std::string GetText(const std::string& key, const std::string& absent) const;

    /** Type of a scalar in a JSON document. */
    enum class Type
    {
        STRING,  //!< "text"
        NUMBER,  //!< 4096
        BOOLEAN, //!< true
    };

    /**
     * \param key a key
     * \param type what its value must be in the document
     * \return its value as it would be typed
     */
    std::string GetText(const std::string& key, Type type) const;

    /**
     * \param key a key
     * \return its array, each element like GetText(); empty if the object lacks the key
     */
    std::vector<std::string> GetTexts(const std::string& key) const;

    /**
     * \param known all keys that the object may have; a ConfigError if it has another
     */
    void RequireKeys(const std::vector<std::string>& known) const;

    /**
     * \param key a key, or empty for the object itself
     * \param value what was read there
     * \param expected what was expected instead
     */
    [[noreturn]] void Fail(const std::string& key,
                           const std::string& value,
                           const std::string& expected) const;

  private:
    /**
     * \param path the file
     * \param place where the object stands in it
     * \param object the object
     */
    JsonObject(const std::string& path, const std::string& place, const nlohmann::json& object);

    /**
     * \param key a key
     * \return its value; a ConfigError if it is missing
     */
    const nlohmann::json& Get(const std::string& key) const;

    /**
     * \param key a key
     * \return pointers to the elements of its array; none if the object lacks the key
     */
    std::vector<const nlohmann::json*> GetElements(const std::string& key) const;

    /**
     * \param key a key
     * \return where its value stands in the file
     */
    std::string GetPlaceOf(const std::string& key) const;

    /**
     * \param key a key
     * \param value its value, or an element of it
     * \return the value as it would be typed; a ConfigError if it is no scalar
     */
    std::string ToText(const std::string& key, const nlohmann::json& value) const;

    std::string m_path;                             //!< file
    std::string m_place;                            //!< where the object stands
    std::shared_ptr<const nlohmann::json> m_object; //!< the object
};

} // namespace ns3

#endif /* JSON_OBJECT_H */
