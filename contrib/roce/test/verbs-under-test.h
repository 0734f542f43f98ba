/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef VERBS_UNDER_TEST_H
#define VERBS_UNDER_TEST_H

#include "nic-under-test.h"

#include "ns3/roce-psn.h"
#include "ns3/roce-verbs.h"

#include <array>
#include <utility>
#include <vector>

namespace ns3
{

constexpr const char* GO_BACK_N = "ns3::GoBackNLossRecovery";         //!< TypeId name
constexpr const char* SELECTIVE = "ns3::SelectiveRepeatLossRecovery"; //!< TypeId name

/** \ingroup tests \brief Two NICs with verbs, connected by one queue pair. */
class VerbsUnderTest : public NicUnderTest
{
  public:
    /** Opcodes and packet numbers, 24 bit. */
    using Opcodes = std::vector<std::pair<RoceOpcode, uint32_t>>;

    /** \param options what the NICs are like */
    explicit VerbsUnderTest(const NicOptions& options = {})
        : NicUnderTest(options)
    {
        for (const Ptr<RoceVerbs>& verbs : ends)
        {
            const bool first = verbs == ends[0];
            verbs->Open(first ? nic : peer);
            auto& seen = first ? here : there;
            verbs->SetCompletionCallback(
                Callback<void, const RoceCompletion&>([&seen](const RoceCompletion& completion) {
                    seen.push_back({EngineUnderTest::Now(), completion});
                }));
        }
        RoceQueuePairParameters parameters;
        parameters.channel = 5;
        parameters.firstPsn = options.firstPsn;
        qp = ends[0]->CreateQp(*ends[1], parameters);
        peerQp = ends[0]->GetPeerQp(qp);
    }

    ~VerbsUnderTest()
    {
        ends[0]->Dispose();
        ends[1]->Dispose();
    }

    /** \param request posted to the queue pair of the NIC on test */
    void PostSend(const RoceWorkRequest& request)
    {
        ends[0]->PostSend(qp, request);
    }

    /** \param from port of the wire, 2 = both \return its frames with class DATA, as they passed */
    Opcodes GetOpcodes(uint32_t from = 2) const
    {
        Opcodes opcodes;
        for (const auto& frame : wire->frames)
        {
            if (frame.frameClass == FrameClass::DATA && (from == 2 || from == frame.from))
            {
                opcodes.emplace_back(frame.opcode, frame.psn);
            }
        }
        return opcodes;
    }

    /** \return cookies and states of the messages that ended at the NIC on test, in order */
    std::vector<std::pair<uint64_t, RoceStatus>> GetEnds() const
    {
        std::vector<std::pair<uint64_t, RoceStatus>> states;
        for (const NotedCompletion& noted : here)
        {
            states.emplace_back(noted.completion.cookie, noted.completion.status);
        }
        return states;
    }

    std::array<Ptr<RoceVerbs>, 2> ends{CreateObject<RoceVerbs>(),
                                       CreateObject<RoceVerbs>()}; //!< both ends
    std::vector<NotedCompletion> here;  //!< completions at the NIC on test
    std::vector<NotedCompletion> there; //!< completions at its peer
    uint32_t qp{0};                     //!< queue pair
    uint32_t peerQp{0};                 //!< the same at the peer
};

} // namespace ns3

#endif /* VERBS_UNDER_TEST_H */
