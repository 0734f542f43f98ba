/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ANALYTIC_NETWORK_H
#define ANALYTIC_NETWORK_H

#include "routed-network.h"

namespace ns3
{

/**
 * \ingroup railyard
 * \brief A message takes alpha + bytes * beta, and ranks serve one after another: see
 * AnalyticMessageTransport.
 */
class AnalyticNetwork : public RoutedNetwork
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    AnalyticNetwork();
    ~AnalyticNetwork() override;

    // From ClusterNetwork.
    bool UsesLoadBalancer() const override;
    /**
     * \return those of RoutedNetwork, and how many links had more to carry over the whole run than
     * they can, if any: nothing of those that had too much for a while only
     */
    std::vector<std::string> GetNotes() const override;

  private:
    // From RoutedNetwork.
    Ptr<RoutedMessageTransport> CreateTransport() const override;
    bool SpreadsMessages() const override;
    std::string DescribeFidelity() const override;
};

} // namespace ns3

#endif /* ANALYTIC_NETWORK_H */
