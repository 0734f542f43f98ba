/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "msccl-program.h"

namespace ns3
{

bool
Receives(MscclStepType type)
{
    switch (type)
    {
    case MscclStepType::RECEIVE:
    case MscclStepType::RECEIVE_COPY_SEND:
    case MscclStepType::RECEIVE_REDUCE_SEND:
    case MscclStepType::RECEIVE_REDUCE_COPY:
    case MscclStepType::RECEIVE_REDUCE_COPY_SEND:
        return true;
    default:
        return false;
    }
}

bool
Sends(MscclStepType type)
{
    switch (type)
    {
    case MscclStepType::SEND:
    case MscclStepType::RECEIVE_COPY_SEND:
    case MscclStepType::RECEIVE_REDUCE_SEND:
    case MscclStepType::RECEIVE_REDUCE_COPY_SEND:
        return true;
    default:
        return false;
    }
}

bool
ReadsSource(MscclStepType type)
{
    switch (type)
    {
    case MscclStepType::RECEIVE:
    case MscclStepType::RECEIVE_COPY_SEND:
    case MscclStepType::NOP:
        return false;
    default:
        return true;
    }
}

bool
WritesDestination(MscclStepType type)
{
    switch (type)
    {
    case MscclStepType::SEND:
    case MscclStepType::RECEIVE_REDUCE_SEND:
    case MscclStepType::NOP:
        return false;
    default:
        return true;
    }
}

} // namespace ns3
