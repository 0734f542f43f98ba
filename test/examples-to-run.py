# SPDX-License-Identifier: GPL-2.0-only
#
# The examples that ns-3's test.py and CTest run: (command, when to run it, when under valgrind).
# One entry per line; every example of examples/CMakeLists.txt has one, and each writes its results
# to a folder of its own, because test.py runs several at once: the test build-lists fails otherwise.
cpp_examples = [
    ("accuracy-collectives-example --network=analytic", "True", "False"),
    ("collective-bench-example -b 8 -e 4M -f 8 -g 8", "True", "False"),
    ("collective-bench-example -b 8 -e 4M -f 64 --compare=protocol --out=collective-bench-out-protocol", "True", "False"),
    ("llm-training-example", "True", "False"),
    ("llm-training-example --network=flow --out=railyard-out-flow", "True", "False"),
    ("llm-training-example --network=analytic --out=railyard-out-analytic", "True", "False"),
    ("own-scenario-example", "True", "False"),
    ("own-scenario-example --network=flow", "True", "False"),
    ("kernel-table", "True", "False"),
    ("kernel-table --action=lookup --gpu=H100 --op=gemm --m=4096 --n=11008 --k=4096", "True", "False"),
    ("roce-fct-example --controls=Dcqcn --loads=0.4 --seeds=1 --duration=20ms --warmUp=2ms", "True", "False"),
    ("roce-flows-example", "True", "False"),
    ("roce-flows-example --congestionControl=Timely --qlen=1us --pcap=8:0 --csv=true --out=railyard-flows-out-timely", "True", "False"),
    ("roce-flows-example --topology=dumbbell:hosts=8,nicRate=100Gbps --traffic=web-search --pattern=LeftToRight --load=0.8 --duration=2ms --out=railyard-flows-out-traffic", "True", "False"),
    ("roce-flows-example --series=utilisation,pause,mark,rate,alpha,rtt,depthHistogram --hpccOutput=fct,pfc,qlen --out=railyard-flows-out-series", "True", "False"),
]
python_examples = []
