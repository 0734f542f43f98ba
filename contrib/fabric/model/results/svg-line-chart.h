/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SVG_LINE_CHART_H
#define SVG_LINE_CHART_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A chart of lines over sizes in bytes, as an SVG document: busbw over size, time over size.
 *
 * The x axis is logarithmic with a tick at powers of two, named as people and nccl-tests name them
 * (8, 1K, 4M: powers of 1024). The y axis is linear from 0 up to a round number. The legend stands
 * right of the plot. The same points give the same document, byte for byte.
 *
 * Debian's libraries for charts in C++ either load their drivers at run time or draw by a program
 * of their own (PLplot, gnuplot-iostream), and none promises the same bytes for the same data.
 */
class SvgLineChart
{
  public:
    /** A point: size in bytes, value. */
    using Point = std::pair<uint64_t, double>;

    /**
     * \param title above the chart
     * \param xTitle below the x axis
     * \param yTitle beside the y axis
     */
    SvgLineChart(const std::string& title, const std::string& xTitle, const std::string& yTitle);

    /**
     * \param name in the legend
     * \param points by size, ascending; those of 0 bytes have no place on the axis and are left
     * out. Values are finite and not negative.
     */
    void AddLine(const std::string& name, const std::vector<Point>& points);

    /** \return the document, with a line feed at the end */
    std::string Format() const;

    /** \param bytes a size \return it as on the x axis: "8", "1K", "1.5M", "1000" */
    static std::string FormatSize(uint64_t bytes);

    /**
     * \param max largest value
     * \return a step of 1, 2 or 5 times a power of ten, with which four to ten steps cover max
     */
    static double GetStep(double max);

  private:
    /** A line of the chart. */
    struct Line
    {
        std::string name;          //!< in the legend
        std::vector<Point> points; //!< by size
    };

    /** What the axes cover, and where. */
    struct Frame
    {
        int minPower{0};  //!< the x axis begins at 2 to the power of this, bytes
        int maxPower{1};  //!< and ends at 2 to the power of this
        int powerStep{1}; //!< powers of two from tick to tick
        double yStep{1};  //!< from tick to tick
        int ySteps{1};    //!< steps of the y axis

        /** \param bytes a size above 0 \return its place, in pixels from the left */
        double GetX(double bytes) const;
        /** \param value a value \return its place, in pixels from the top */
        double GetY(double value) const;
    };

    /** \return the axes that cover all points */
    Frame MakeFrame() const;
    /** \param frame the axes \param [out] text gets grid, ticks and titles */
    void AddAxes(const Frame& frame, std::string& text) const;
    /** \param frame the axes \param index number of a line \param [out] text gets it */
    void AddLineTo(const Frame& frame, std::size_t index, std::string& text) const;
    /** \param [out] text gets the legend */
    void AddLegend(std::string& text) const;

    std::string m_title;       //!< above the chart
    std::string m_xTitle;      //!< below the x axis
    std::string m_yTitle;      //!< beside the y axis
    std::vector<Line> m_lines; //!< in the order added
};

} // namespace ns3

#endif /* SVG_LINE_CHART_H */
