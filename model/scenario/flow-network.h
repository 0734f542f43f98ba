/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_NETWORK_H
#define FLOW_NETWORK_H

#include "routed-network.h"

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Messages are fluid flows that share links max-min fairly: see FlowMessageTransport.
 */
class FlowNetwork : public RoutedNetwork
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    FlowNetwork();
    ~FlowNetwork() override;

    // From ClusterNetwork.
    bool UsesAttribute(const std::string& attribute) const override;
    bool UsesLoadBalancer() const override;

  private:
    // From RoutedNetwork.
    Ptr<RoutedMessageTransport> CreateTransport() const override;
    bool SpreadsMessages() const override;
    std::string DescribeFidelity() const override;
};

} // namespace ns3

#endif /* FLOW_NETWORK_H */
