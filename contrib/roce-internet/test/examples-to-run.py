# SPDX-License-Identifier: GPL-2.0-only
#
# The examples that ns-3's test.py and CTest run: (command, when to run it, when under valgrind).
# One entry per line.
cpp_examples = [
    ("roce-tcp-coexistence-example", "True", "False"),
    ("roce-tcp-coexistence-example --tcp=TcpDctcp --ns3::TcpSocketBase::UseEcn=On", "True", "False"),
]
python_examples = []
