/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HUGE_PAGES_H
#define HUGE_PAGES_H

namespace ns3
{

/**
 * \ingroup fabric
 * Asks the system to back the memory that the program will allocate by huge pages. A simulation of
 * a thousand GPUs goes through tens of megabytes in no order, and with pages of 4 KiB a good part
 * of its time is spent on finding them. For programs, as early as possible; of libraries, only the
 * program may decide that. Where the C library or the kernel has no such thing, nothing happens.
 * The memory in use does not grow by more than a huge page (2 MiB).
 */
void PreferHugePages();

} // namespace ns3

#endif /* HUGE_PAGES_H */
