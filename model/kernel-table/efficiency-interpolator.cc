/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "efficiency-interpolator.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

namespace
{

constexpr double MIN_DISTANCE = 1e-6; //!< octaves; nearer rows count as this far

/**
 * \param a a point
 * \param b another point
 * \return their Euclidean distance
 */
double
GetDistance(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return std::sqrt(sum);
}

/**
 * \param a a point
 * \param b another point
 * \return the largest difference of a coordinate
 */
double
GetLargestDifference(const std::vector<double>& a, const std::vector<double>& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        largest = std::max(largest, std::abs(a[i] - b[i]));
    }
    return largest;
}

/**
 * Gaussian elimination.
 * \param matrix a symmetric positive definite matrix, row by row
 * \param right the right-hand side
 * \return the solution
 */
std::vector<double>
Solve(std::vector<std::vector<double>> matrix, std::vector<double> right)
{
    const std::size_t size = right.size();
    for (std::size_t i = 0; i < size; ++i)
    {
        for (std::size_t j = i + 1; j < size; ++j)
        {
            const double factor = matrix[j][i] / matrix[i][i];
            for (std::size_t c = i; c < size; ++c)
            {
                matrix[j][c] -= factor * matrix[i][c];
            }
            right[j] -= factor * right[i];
        }
    }
    for (std::size_t i = size; i-- > 0;)
    {
        for (std::size_t j = i + 1; j < size; ++j)
        {
            right[i] -= matrix[i][j] * right[j];
        }
        right[i] /= matrix[i][i];
    }
    return right;
}

} // namespace

void
EfficiencyInterpolator::Add(const std::vector<double>& position,
                            double efficiency,
                            const std::string& source)
{
    NS_ASSERT_MSG(efficiency > 0, "an efficiency of " << efficiency);
    NS_ASSERT_MSG(m_rows.empty() || m_rows.front().position.size() == position.size(),
                  "rows of different dimensions");
    m_rows.push_back({position, std::log(efficiency), source});
}

std::optional<EfficiencyEstimate>
EfficiencyInterpolator::Estimate(const std::vector<double>& position,
                                 double reach,
                                 double radius) const
{
    EfficiencyEstimate estimate;
    estimate.nearestOctaves = std::numeric_limits<double>::infinity();
    bool reached = false;
    std::vector<Neighbour> neighbours;
    for (const auto& row : m_rows)
    {
        const double distance = GetDistance(position, row.position);
        if (distance < estimate.nearestOctaves)
        {
            estimate.nearestOctaves = distance;
            estimate.source = row.source;
        }
        reached = reached || GetLargestDifference(position, row.position) <= reach;
        const double d = std::max(distance, MIN_DISTANCE);
        if (d < radius)
        {
            const double root = (radius - d) / (radius * d);
            neighbours.push_back({&row, root * root});
        }
    }
    if (!reached || neighbours.empty())
    {
        return std::nullopt;
    }
    estimate.rows = neighbours.size();
    estimate.efficiency = std::exp(Regress(position, neighbours));
    return estimate;
}

double
EfficiencyInterpolator::Regress(const std::vector<double>& position,
                                const std::vector<Neighbour>& neighbours)
{
    const std::size_t size = position.size();
    double weights = 0;
    double mean = 0;
    double smallest = neighbours.front().row->logEfficiency;
    double largest = smallest;
    std::vector<double> centre(size, 0);
    for (const auto& [row, weight] : neighbours)
    {
        weights += weight;
        mean += weight * row->logEfficiency;
        smallest = std::min(smallest, row->logEfficiency);
        largest = std::max(largest, row->logEfficiency);
        for (std::size_t i = 0; i < size; ++i)
        {
            centre[i] += weight * row->position[i];
        }
    }
    mean /= weights;
    std::for_each(centre.begin(), centre.end(), [weights](double& x) { x /= weights; });
    const std::vector<double> slope = FitSlope(neighbours, centre, mean, 1e-12 * weights);
    double value = mean;
    for (std::size_t i = 0; i < size; ++i)
    {
        value += slope[i] * (position[i] - centre[i]);
    }
    return std::clamp(value, smallest, largest);
}

std::vector<double>
EfficiencyInterpolator::FitSlope(const std::vector<Neighbour>& neighbours,
                                 const std::vector<double>& centre,
                                 double mean,
                                 double floor)
{
    const std::size_t size = centre.size();
    std::vector<std::vector<double>> matrix(size, std::vector<double>(size, 0));
    std::vector<double> right(size, 0);
    double spread = 0;
    for (const auto& [row, weight] : neighbours)
    {
        for (std::size_t i = 0; i < size; ++i)
        {
            const double off = weight * (row->position[i] - centre[i]);
            right[i] += off * (row->logEfficiency - mean);
            spread += off * (row->position[i] - centre[i]);
            for (std::size_t j = 0; j < size; ++j)
            {
                matrix[i][j] += off * (row->position[j] - centre[j]);
            }
        }
    }
    for (std::size_t i = 0; i < size; ++i)
    {
        matrix[i][i] += RIDGE * spread + floor; // the latter for a row alone
    }
    return Solve(matrix, right);
}

} // namespace ns3
