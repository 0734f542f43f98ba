# SPDX-License-Identifier: GPL-2.0-only
#
# The examples that ns-3's test.py and CTest run: (command, when to run it, when under valgrind).
# One entry per line.
cpp_examples = [
    ("roce-tcp-coexistence-example", "True", "False"),
    ("roce-tcp-coexistence-example --topology=star:hosts=4,gpusPerServer=2,gpusPerNic=2 --rdmaBytes=200000 --tcpBytes=200000", "True", "False"),
    ("roce-tcp-coexistence-example --rdmaBytes=200000 --tcpBytes=200000 --set=RoceNicDevice::Priority=5 --set=RoceSwitchDevice::LosslessPriorities=32", "True", "False"),
    ("roce-tcp-coexistence-example --tcp=TcpDctcp --ns3::TcpSocketBase::UseEcn=On", "True", "False"),
]
python_examples = []
