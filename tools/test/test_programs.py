#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How programs end.

Usage: test_programs.py BUILD_FOLDER
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else "build"


class Signals(unittest.TestCase):
    def test_a_program_without_results_ends_at_the_first_one(self):
        """What has a result folder writes it first: scenario-end-test.cc."""
        study = os.path.join(BUILD, "examples", "roce-fct-example")  # takes minutes
        with tempfile.TemporaryDirectory() as folder:
            with subprocess.Popen([study], cwd=folder, stdout=subprocess.DEVNULL) as program:
                time.sleep(1)
                program.send_signal(signal.SIGTERM)
                try:
                    status = program.wait(timeout=30)
                except subprocess.TimeoutExpired:
                    program.kill()
                    status = None
        self.assertEqual(status, -signal.SIGTERM)


if __name__ == "__main__":
    unittest.main()
