/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef EFFICIENCY_INTERPOLATOR_H
#define EFFICIENCY_INTERPOLATOR_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief An interpolated efficiency. */
struct EfficiencyEstimate
{
    double efficiency{0};     //!< ideal time / time
    double nearestOctaves{0}; //!< distance to the nearest row
    uint32_t rows{0};         //!< number of rows that have weight in it
    std::string source;       //!< source of the nearest row
};

/**
 * \ingroup railyard
 * \brief Interpolates the efficiency of kernels between known shapes.
 *
 * A shape is a point x whose coordinates are log2 of its dimensions, so distances are in octaves.
 * With d_i the Euclidean distance to row i, R the radius and weights
 *
 *   w_i = ((R - d_i) / (R d_i))^2 for d_i < R, otherwise 0
 *
 * (inverse distance in the form of Franke and Little), log efficiency is the value at x of the
 * linear function of the coordinates that fits the rows best in the sense of weighted least
 * squares. It passes through every row, is continuous, reproduces linear functions up to a ridge of
 * RIDGE times the spread of the rows (which decides where rows lie in a line or plane), and is
 * kept between the smallest and the largest of the values with weight. Where no row is within the
 * reach in every coordinate there is no estimate: the table does not extrapolate further.
 */
class EfficiencyInterpolator
{
  public:
    static constexpr double RIDGE = 1e-3; //!< weight of a small slope, relative to the rows' spread

    /**
     * \param position log2 of the interpolated dimensions; always in the same number
     * \param efficiency ideal time / time, greater than 0
     * \param source the row's source
     */
    void Add(const std::vector<double>& position, double efficiency, const std::string& source);

    /**
     * \param position log2 of the interpolated dimensions
     * \param reach largest distance to a row in every coordinate, octaves
     * \param radius Euclidean distance from which on rows have no weight, octaves
     * \return the efficiency, nothing if no row is within the reach
     */
    std::optional<EfficiencyEstimate> Estimate(const std::vector<double>& position,
                                               double reach,
                                               double radius) const;

  private:
    /** \brief A row. */
    struct Row
    {
        std::vector<double> position; //!< log2 of the dimensions
        double logEfficiency;         //!< natural logarithm of the efficiency
        std::string source;           //!< the row's source
    };

    /** \brief A row near the point asked for. */
    struct Neighbour
    {
        const Row* row; //!< the row
        double weight;  //!< its weight
    };

    /**
     * \param position a point
     * \param neighbours rows near it, at least one
     * \return the value there of the linear function that fits their log efficiencies
     */
    static double Regress(const std::vector<double>& position,
                          const std::vector<Neighbour>& neighbours);

    /**
     * \param neighbours rows and their weights
     * \param centre weighted mean of their positions
     * \param mean weighted mean of their log efficiencies
     * \param floor added to the diagonal, for a row alone
     * \return slope of the log efficiency in every dimension, by ridge regression
     */
    static std::vector<double> FitSlope(const std::vector<Neighbour>& neighbours,
                                        const std::vector<double>& centre,
                                        double mean,
                                        double floor);

    std::vector<Row> m_rows; //!< in the order added
};

} // namespace ns3

#endif /* EFFICIENCY_INTERPOLATOR_H */
