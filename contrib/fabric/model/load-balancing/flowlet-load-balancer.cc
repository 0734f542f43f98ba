/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flowlet-load-balancer.h"

#include "ns3/fabric-device.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowletLoadBalancer);

TypeId
FlowletLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FlowletLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Fabric")
            .AddConstructor<FlowletLoadBalancer>()
            .AddAttribute("Timeout",
                          "Longest gap between two frames of a flowlet (100 us: LetFlow in the "
                          "simulator of ConWeave, SIGCOMM 2023); 0: every frame chooses.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&FlowletLoadBalancer::m_timeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Entries",
                          "Size of the flowlet table of a switch (assumed; flows that fall on one "
                          "entry go together).",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&FlowletLoadBalancer::m_entries),
                          MakeUintegerChecker<uint32_t>(1, FlowletTable::MAX_ENTRIES));
    return tid;
}

FlowletLoadBalancer::FlowletLoadBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
FlowletLoadBalancer::Start(const LoadBalancerStart& start)
{
    m_device = start.device;
    m_table.Configure(m_entries, m_timeout, start.seed);
}

int64_t
FlowletLoadBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
FlowletLoadBalancer::KeepsOrder() const
{
    return m_timeout.IsStrictlyPositive();
}

uint32_t
FlowletLoadBalancer::Choose(FabricPacket& packet, PortSpan ports)
{
    const uint64_t now = m_device->GetFabric()->engine.Now();
    return m_table.Choose(packet, ports, now, [&] {
        return m_random->GetInteger(0, ports.count - 1);
    });
}

} // namespace ns3
