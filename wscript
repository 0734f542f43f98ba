# -*- Mode: python; coding: utf-8; -*-
# SPDX-License-Identifier: GPL-2.0-only
#
# For ns-3 up to 3.35. Clone (or link) the repository as <ns-3>/contrib/railyard, then
#   ./waf configure --enable-modules=railyard --enable-examples --enable-tests
# Files and dependencies are those of CMakeLists.txt.
import os
import sys


def railyard_waf(ctx):
    sys.path.insert(0, os.path.join(os.path.realpath(ctx.path.abspath()), 'cmake'))
    import railyard_waf as module
    return module


def configure(conf):
    railyard_waf(conf).configure(conf)


def build(bld):
    railyard_waf(bld).build_nested(bld)
    railyard_waf(bld).build(bld)
