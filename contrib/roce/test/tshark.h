/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TSHARK_H
#define TSHARK_H

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup tests \brief A pcap file as Wireshark's tshark reads it. */
class Tshark
{
  public:
    /** \param path of the file */
    explicit Tshark(const std::string& path)
        : m_command("tshark -n -o ip.check_checksum:TRUE --disable-heuristic "
                    "rpcrdma_infiniband -r " + // payloads are zeros: no guessing what they are
                    path +
                    " ")
    {
    }

    /** \return whether tshark is installed */
    static bool IsThere()
    {
        return std::system("tshark --version >/dev/null 2>&1") == 0;
    }

    /** \param arguments what to show \return what it prints, line by line */
    std::vector<std::string> Run(const std::string& arguments) const
    {
        FILE* pipe = popen((m_command + arguments + " 2>/dev/null").c_str(), "r");
        std::string text;
        char buffer[4096];
        for (std::size_t n; pipe && (n = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;)
        {
            text.append(buffer, n);
        }
        if (pipe)
        {
            pclose(pipe);
        }
        std::vector<std::string> lines;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);)
        {
            lines.push_back(line);
        }
        return lines;
    }

    /** \return what it takes for malformed, or finds fault with */
    std::vector<std::string> GetComplaints() const
    {
        return Run("-Y '_ws.malformed || _ws.expert.severity >= warning'");
    }

  private:
    std::string m_command; //!< all but what to show
};

} // namespace ns3

#endif /* TSHARK_H */
