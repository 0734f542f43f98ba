/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GTEST_BRIDGE_H
#define GTEST_BRIDGE_H

#include "scratch-directory.h"

#include "ns3/test.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \brief One GoogleTest case as a case of ns-3's test runner.
 */
class GtestCase : public TestCase
{
  public:
    /**
     * \param name the full name of the GoogleTest case, "Suite.Case"
     */
    explicit GtestCase(const std::string& name)
        : TestCase(name)
    {
    }

  private:
    void DoRun() override
    {
        static const ScratchDirectory scratch;
        [[maybe_unused]] static const bool initialized = InitGoogleTest();
        testing::GTEST_FLAG(filter) = GetName();
        const int status = RUN_ALL_TESTS();
        testing::GTEST_FLAG(filter) = "*";
        NS_TEST_ASSERT_MSG_EQ(status, 0, "GoogleTest case failed: " << GetName());
        NS_TEST_ASSERT_MSG_EQ(testing::UnitTest::GetInstance()->test_to_run_count(),
                              1,
                              "no such GoogleTest case: " << GetName());
    }

    /**
     * \brief Prepares GoogleTest, which sees no command line: that one is ns-3's.
     * \return true
     */
    static bool InitGoogleTest()
    {
        int argc = 1;
        char name[] = "ns3";
        char* argv[] = {name, nullptr};
        testing::InitGoogleTest(&argc, argv);
        testing::GTEST_FLAG(brief) = true;
        return true;
    }
};

/**
 * \ingroup tests
 * \brief All GoogleTest cases of one module as a suite of ns-3's test runner.
 *
 * The standalone build runs the same cases in the program `<module>-gtest`.
 */
class GtestSuite : public TestSuite
{
  public:
    /**
     * \param module name of the module and of the suite, "fabric"
     * \param prefix how the module's GoogleTest suites begin, "Fabric"
     */
    GtestSuite(const std::string& module, const std::string& prefix)
        : TestSuite(module, TestSuite::Type::UNIT),
          m_prefix(prefix)
    {
        GetPrefixes().push_back(prefix);
    }

  private:
    /// Adds the cases: by now those of every library are registered.
    void DoSetup() override
    {
        bool found = false;
        const auto* all = testing::UnitTest::GetInstance();
        for (int i = 0; i < all->total_test_suite_count(); i++)
        {
            const auto* suite = all->GetTestSuite(i);
            const std::string name = suite->name();
            if (!IsOurs(name))
            {
                continue;
            }
            for (int j = 0; j < suite->total_test_count(); j++)
            {
                AddTestCase(new GtestCase(name + "." + suite->GetTestInfo(j)->name()));
                found = true;
            }
        }
        if (!found)
        {
            AddTestCase(new GtestCase(m_prefix + ".NoCaseRegistered")); // fails
        }
    }

    /** \return how the GoogleTest suites of all modules in this process begin */
    static std::vector<std::string>& GetPrefixes()
    {
        static std::vector<std::string> prefixes;
        return prefixes;
    }

    /**
     * \param name of a GoogleTest suite, "FabricPort" or, parameterised, "Sizes/FabricPort"
     * \param prefix how the suites of a module begin
     * \return whether it begins so
     */
    static bool Begins(const std::string& name, const std::string& prefix)
    {
        return name.rfind(prefix, 0) == 0 || name.substr(name.find('/') + 1).rfind(prefix, 0) == 0;
    }

    /**
     * \param name of a GoogleTest suite
     * \return whether it is this module's: none of another, such as RoceInternet beside Roce, fits
     * it better
     */
    bool IsOurs(const std::string& name) const
    {
        for (const std::string& other : GetPrefixes())
        {
            if (other.size() > m_prefix.size() && Begins(name, other))
            {
                return false;
            }
        }
        return Begins(name, m_prefix);
    }

    std::string m_prefix; //!< how the module's GoogleTest suites begin
};

} // namespace ns3

#endif /* GTEST_BRIDGE_H */
