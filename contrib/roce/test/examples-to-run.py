# SPDX-License-Identifier: GPL-2.0-only
#
# The examples that ns-3's test.py and CTest run: (command, when to run it, when under valgrind).
# One entry per line.
cpp_examples = [
    ("roce-verbs-example", "True", "False"),
]
python_examples = []
