/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "svg-line-chart.h"

#include "ns3/result-format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3
{

namespace
{

constexpr int WIDTH = 860;          //!< of the document, pixels
constexpr int HEIGHT = 480;         //!< of the document, pixels
constexpr int LEFT = 80;            //!< of the plot, pixels
constexpr int RIGHT = 660;          //!< end of the plot, pixels
constexpr int TOP = 50;             //!< of the plot, pixels
constexpr int BOTTOM = 420;         //!< end of the plot, pixels
constexpr int LEGEND = 680;         //!< left end of the legend, pixels
constexpr int LEGEND_LINE = 20;     //!< height of a line of the legend, pixels
constexpr int MAX_POWER_TICKS = 12; //!< ticks of the x axis, at most

/** Colours that people with colour vision deficiencies tell apart (Okabe, Ito 2008). */
constexpr std::array<const char*, 7>
    COLOURS{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
/** Dashes, another one for each round through the colours. */
constexpr std::array<const char*, 3> DASHES{"none", "7 4", "2 3"};

/** \param text any text \return it as the content of an XML element or attribute */
std::string
Escape(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
    {
        switch (c)
        {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default: // XML has no place for the other control characters
            escaped += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
            break;
        }
    }
    return escaped;
}

/** \param value a place in pixels \return it as text */
std::string
Px(double value)
{
    return FormatFixed(value, 1);
}

/**
 * \param x place \param y place \param anchor "start", "middle" or "end"
 * \param text what stands there
 * \param more further attributes
 * \return an element
 */
std::string
Text(double x,
     double y,
     const std::string& anchor,
     const std::string& text,
     const std::string& more = "")
{
    return "<text x=\"" + Px(x) + "\" y=\"" + Px(y) + "\" text-anchor=\"" + anchor + "\"" + more +
           ">" + Escape(text) + "</text>\n";
}

/** \param x1 begin \param y1 begin \param x2 end \param y2 end \param style attributes
 * \return an element */
std::string
Stroke(double x1, double y1, double x2, double y2, const std::string& style)
{
    return "<line x1=\"" + Px(x1) + "\" y1=\"" + Px(y1) + "\" x2=\"" + Px(x2) + "\" y2=\"" +
           Px(y2) + "\" " + style + "/>\n";
}

/** \param index number of a line \return its colour and dashes as attributes */
std::string
GetStyle(std::size_t index)
{
    const char* dashes = DASHES[index / COLOURS.size() % DASHES.size()];
    return std::string("stroke=\"") + COLOURS[index % COLOURS.size()] +
           "\" stroke-width=\"2\" stroke-dasharray=\"" + dashes + "\"";
}

} // namespace

SvgLineChart::SvgLineChart(const std::string& title,
                           const std::string& xTitle,
                           const std::string& yTitle)
    : m_title(title),
      m_xTitle(xTitle),
      m_yTitle(yTitle)
{
}

void
SvgLineChart::AddLine(const std::string& name, const std::vector<Point>& points)
{
    Line line{name, {}};
    for (const Point& point : points)
    {
        if (point.first > 0)
        {
            line.points.emplace_back(point.first, RequireFinite(point.second));
        }
    }
    m_lines.push_back(line);
}

double
SvgLineChart::Frame::GetX(double bytes) const
{
    const double share = (std::log2(bytes) - minPower) / (maxPower - minPower);
    return LEFT + share * (RIGHT - LEFT);
}

double
SvgLineChart::Frame::GetY(double value) const
{
    return BOTTOM - value / (yStep * ySteps) * (BOTTOM - TOP);
}

std::string
SvgLineChart::FormatSize(uint64_t bytes)
{
    constexpr std::array<const char*, 5> UNITS{"", "K", "M", "G", "T"};
    std::size_t unit = 0;
    double value = static_cast<double>(bytes);
    // A unit fits if three decimals are enough: 1.5M, but 1000 stays.
    while (unit + 1 < UNITS.size() && value >= 1024 && std::fmod(value * 125 / 128, 1) == 0)
    {
        value /= 1024;
        unit++;
    }
    return FormatReal(value) + UNITS[unit];
}

double
SvgLineChart::GetStep(double max)
{
    if (max <= 0)
    {
        return 0.25;
    }
    double decade = std::pow(10.0, std::floor(std::log10(max)) - 1);
    for (;; decade *= 10)
    {
        for (const int factor : {1, 2, 5})
        {
            if (decade * factor * 10 >= max)
            {
                return decade * factor;
            }
        }
    }
}

SvgLineChart::Frame
SvgLineChart::MakeFrame() const
{
    Frame frame;
    bool any = false;
    double max = 0;
    for (const Line& line : m_lines)
    {
        for (const auto& [bytes, value] : line.points)
        {
            const double power = std::log2(static_cast<double>(bytes));
            const int low = static_cast<int>(std::floor(power));
            const int high = static_cast<int>(std::ceil(power));
            frame.minPower = any ? std::min(frame.minPower, low) : low;
            frame.maxPower = any ? std::max(frame.maxPower, high) : high;
            max = std::max(max, value);
            any = true;
        }
    }
    if (frame.minPower == frame.maxPower) // a single size stands in the middle
    {
        frame.minPower--;
        frame.maxPower++;
    }
    const int powers = frame.maxPower - frame.minPower;
    frame.powerStep = (powers + MAX_POWER_TICKS - 1) / MAX_POWER_TICKS;
    frame.yStep = GetStep(max);
    frame.ySteps = std::max(1, static_cast<int>(std::ceil(max / frame.yStep - 1e-9)));
    return frame;
}

void
SvgLineChart::AddAxes(const Frame& frame, std::string& text) const
{
    const std::string grid = "stroke=\"#dddddd\"";
    for (int power = frame.minPower; power <= frame.maxPower; power += frame.powerStep)
    {
        const double x = frame.GetX(std::exp2(power));
        text += Stroke(x, TOP, x, BOTTOM, grid);
        const std::string size =
            power < 0 ? FormatReal(std::exp2(power)) : FormatSize(uint64_t(1) << power);
        text += Text(x, BOTTOM + 20, "middle", size, " class=\"x-tick\"");
    }
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(frame.yStep) + 1e-9)));
    for (int step = 0; step <= frame.ySteps; step++)
    {
        const double value = step * frame.yStep;
        const double y = frame.GetY(value);
        text += Stroke(LEFT, y, RIGHT, y, grid);
        const int places = frame.yStep == 0.25 ? 2 : decimals;
        text += Text(LEFT - 8, y + 4, "end", FormatFixed(value, places), " class=\"y-tick\"");
    }
    const std::string axis = "stroke=\"#000000\"";
    text += Stroke(LEFT, BOTTOM, RIGHT, BOTTOM, axis);
    text += Stroke(LEFT, TOP, LEFT, BOTTOM, axis);
    text += Text((LEFT + RIGHT) / 2.0, 28, "middle", m_title, " font-size=\"16\"");
    text += Text((LEFT + RIGHT) / 2.0, BOTTOM + 45, "middle", m_xTitle);
    const double middle = (TOP + BOTTOM) / 2.0;
    text +=
        Text(22, middle, "middle", m_yTitle, " transform=\"rotate(-90 22 " + Px(middle) + ")\"");
}

void
SvgLineChart::AddLineTo(const Frame& frame, std::size_t index, std::string& text) const
{
    const Line& line = m_lines[index];
    std::string places;
    std::string marks;
    for (const auto& [bytes, value] : line.points)
    {
        const std::string x = Px(frame.GetX(static_cast<double>(bytes)));
        const std::string y = Px(frame.GetY(value));
        places += (places.empty() ? "" : " ") + x + "," + y;
        marks += "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"3\" fill=\"" +
                 COLOURS[index % COLOURS.size()] + "\"><title>" + Escape(line.name) + ", " +
                 FormatSize(bytes) + ": " + FormatFixed(value, 2) + "</title></circle>\n";
    }
    text += "<polyline points=\"" + places + "\" fill=\"none\" " + GetStyle(index) + "/>\n" + marks;
}

void
SvgLineChart::AddLegend(std::string& text) const
{
    for (std::size_t i = 0; i < m_lines.size(); i++)
    {
        const double y = TOP + 10 + LEGEND_LINE * static_cast<double>(i);
        text += Stroke(LEGEND, y - 4, LEGEND + 24, y - 4, GetStyle(i));
        text += Text(LEGEND + 30, y, "start", m_lines[i].name, " class=\"legend\"");
    }
}

std::string
SvgLineChart::Format() const
{
    const int legendEnd = TOP + LEGEND_LINE * static_cast<int>(m_lines.size() + 1);
    const std::string width = std::to_string(WIDTH);
    const std::string height = std::to_string(std::max(HEIGHT, legendEnd));
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
                       width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " +
                       height + "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>" +
                       Escape(m_title) +
                       "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    const Frame frame = MakeFrame();
    AddAxes(frame, text);
    for (std::size_t i = 0; i < m_lines.size(); i++)
    {
        AddLineTo(frame, i, text);
    }
    AddLegend(text);
    return text + "</svg>\n";
}

} // namespace ns3
