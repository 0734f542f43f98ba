#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the CSV files of the shipped kernel table from published measurements.

usage: fit-kernel-table.py MEASUREMENTS OUTPUT

MEASUREMENTS is a folder with the published tables (aiconfigurator/, vidur/, simumax/, converted
to CSV as its SOURCES.md says); they are not part of this repository. OUTPUT receives gpu.csv,
source.csv, derived.csv and kernel-*.csv. Same input, same output, byte for byte; standard library
only. doc/formats/kernel-table.md explains the method and the files.

GEMM: the logarithm of the efficiency (ideal time / measured time) is fitted by a trilinear
function on the nodes m, n, k = powers of two: least squares with a small penalty on second
differences, over four fifths of the measured rows. The other fifth (HELD_OUT) is looked up in the
finished table as the simulator would do it; the errors stand in source.csv.
"""

import csv
import gzip
import json
import math
import os
import statistics
import sys

HBM_EFFICIENCY = 0.8  # aiconfigurator systems/*.yaml: mem_bw_empirical_scaling_factor
LAUNCH_NS = 3000  # aiconfigurator systems/*.yaml: mem_empirical_constant_latency
REACH = 1.0  # octaves in each dimension, as ns3::KernelTable::Reach
RADIUS = 2.5  # octaves, as ns3::KernelTable::Radius
RIDGE = 1e-3  # as ns3::EfficiencyInterpolator
PENALTY = 0.05
HELD_OUT = 5  # one row of this many, by the hash of its shape

AIC = "aiconfigurator"
AIC_COMMIT = "095f58a"
AIC_URL = "https://github.com/ai-dynamo/aiconfigurator"

GPUS = {
    "A100": {
        "device": "NVIDIA A100-SXM4-80GB", "memory_bytes": 85899345920, "bandwidth": 2039e9,
        "peaks": {"bf16": 312e12, "fp16": 312e12, "tf32": 156e12, "int8": 624e12,
                  "fp32": 19.5e12},
        "gemm": "a100_sxm__gemm__trtllm-1.0.0__gemm_perf.csv.gz",
        "attention": "a100_sxm__attention__trtllm-1.0.0__context_attention_perf.csv.gz",
        "memory": ["compute_a100_meta-llama_Meta-Llama-3-8B_mlp.csv.gz",
                   "compute_a100_meta-llama_Llama-2-70b-hf_mlp.csv.gz",
                   "compute_a100_meta-llama_Meta-Llama-3-70B_mlp.csv.gz"],
        "fits": ["bf16"],
    },
    "B200": {
        "device": "NVIDIA B200 SXM", "memory_bytes": 193273528320, "bandwidth": 7700e9,
        "peaks": {"bf16": 2250e12, "fp16": 2250e12, "fp8": 4500e12, "int8": 4500e12},
        "gemm": "b200_sxm__gemm__trtllm-1.3.0rc20__gemm_perf.csv.gz",
        "attention": "b200_sxm__attention__trtllm-1.3.0rc20__context_attention_perf.csv.gz",
        "memory": [], "fits": [],
    },
    "H100": {
        "device": "NVIDIA H100 80GB HBM3 (SXM5)", "memory_bytes": 85899345920,
        "bandwidth": 3350e9,
        "peaks": {"bf16": 989e12, "fp16": 989e12, "fp8": 1978e12, "tf32": 494.5e12,
                  "int8": 1978e12, "fp32": 67e12},
        "gemm": "h100_sxm__gemm__trtllm-1.3.0rc20__gemm_perf.csv.gz",
        "attention": "h100_sxm__attention__trtllm-1.3.0rc20__context_attention_perf.csv.gz",
        "memory": ["compute_h100_meta-llama_Llama-2-7b-hf_mlp.csv.gz",
                   "compute_h100_meta-llama_Llama-2-70b-hf_mlp.csv.gz"],
        "fits": ["bf16", "fp8"],
    },
    "H200": {
        "device": "NVIDIA H200 SXM", "memory_bytes": 151397597184, "bandwidth": 4800e9,
        "peaks": {"bf16": 989e12, "fp16": 989e12, "fp8": 1978e12, "tf32": 494.5e12,
                  "int8": 1978e12, "fp32": 67e12},
        "gemm": "h200_sxm__gemm__trtllm-1.3.0rc20__gemm_perf.csv.gz",
        "attention": "h200_sxm__attention__trtllm-1.3.0rc20__context_attention_perf.csv.gz",
        "memory": [], "fits": [],
    },
}
TYPES = ["bf16", "fp16", "fp8", "int8", "tf32", "fp32"]
BYTES = {"bf16": 2, "fp8": 1}
AIC_TYPE = {"bf16": "bfloat16", "fp8": "fp8"}

# A GPT of 7 billion parameters: hidden size, feed-forward size, vocabulary padded for 8 GPUs.
HIDDEN, FFN, VOCABULARY = 4096, 16384, 51200


def fnv1a(text):
    """32-bit FNV-1a hash, which decides what is held out (the test does the same)."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value


def held_out(shape):
    return fnv1a(",".join(map(str, shape))) % HELD_OUT == 0


def read_rows(folder, name):
    with gzip.open(os.path.join(folder, name), "rt", newline="") as handle:
        yield from csv.DictReader(handle)


# ---- ideal times, as the KernelOp classes compute them ----------------------------------------

def ideal_gemm(gpu, dtype, m, n, k):
    size = BYTES[dtype]
    moved = (m * k + k * n) * size + m * n * max(size, 2)
    return max(2 * m * n * k / gpu["peaks"][dtype], moved / gpu["bandwidth"])


def ideal_attention(gpu, b, s, heads, kv_heads, head_dim):
    flops = 2 * b * heads * s * s * head_dim  # causal: half of 4 b heads s^2 headDim
    moved = 2 * b * s * head_dim * (2 * heads + 2 * kv_heads) + 4 * b * s * heads
    return max(flops / gpu["peaks"]["bf16"], moved / gpu["bandwidth"])


# ---- the table's own interpolation, for the errors of held-out rows ---------------------------

def solve(matrix, right):
    """Gaussian elimination for a symmetric positive definite system."""
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    size = len(rows)
    for i in range(size):
        for j in range(i + 1, size):
            factor = rows[j][i] / rows[i][i]
            for c in range(i, size + 1):
                rows[j][c] -= factor * rows[i][c]
    x = [0.0] * size
    for i in reversed(range(size)):
        x[i] = (rows[i][size] - sum(rows[i][j] * x[j] for j in range(i + 1, size))) / rows[i][i]
    return x


def interpolate(nodes, *points):
    """Log efficiency as ns3::EfficiencyInterpolator finds it; None beyond REACH.

    nodes: (point, value); points: the shape and its equivalents, of which the nearest counts.
    """
    nearest = None
    for point in points:
        distance = min(math.dist(node, point) for node, _ in nodes)
        reached = any(max(abs(a - b) for a, b in zip(node, point)) <= REACH for node, _ in nodes)
        if reached and (nearest is None or distance < nearest[0]):
            nearest = distance, point
    return interpolate_at(nodes, nearest[1]) if nearest else None


def interpolate_at(nodes, point):
    """Weighted linear regression around a point, kept between the values used."""
    used = []
    for node, value in nodes:
        distance = max(math.dist(node, point), 1e-6)
        if distance < RADIUS:
            used.append((((RADIUS - distance) / (RADIUS * distance)) ** 2, node, value))
    if not used:
        return None
    size = len(point)
    weights = sum(w for w, _, _ in used)
    mean = sum(w * v for w, _, v in used) / weights
    centre = [sum(w * x[d] for w, x, _ in used) / weights for d in range(size)]
    matrix = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    for w, x, v in used:
        off = [a - b for a, b in zip(x, centre)]
        for i in range(size):
            right[i] += w * off[i] * (v - mean)
            for j in range(size):
                matrix[i][j] += w * off[i] * off[j]
    ridge = RIDGE * sum(matrix[i][i] for i in range(size)) + 1e-12 * weights
    for i in range(size):
        matrix[i][i] += ridge
    slope = solve(matrix, right)
    result = mean + sum(b * (a - c) for b, a, c in zip(slope, point, centre))
    values = [v for _, _, v in used]
    return min(max(result, min(values)), max(values))


def error_text(errors, what):
    absolute = sorted(map(abs, errors))
    return ("time error on %d %s: mean %.1f %%; 95th percentile %.1f %%; max %.1f %%; bias %+.1f %%"
            % (len(errors), what, 100 * statistics.mean(absolute),
               100 * absolute[int(0.95 * len(absolute))], 100 * absolute[-1],
               100 * statistics.mean(errors)))


# ---- GEMM --------------------------------------------------------------------------------------

def read_gemms(folder, gpu, dtype):
    """(m, n, k) -> seconds."""
    rows = {}
    for row in read_rows(os.path.join(folder, AIC), gpu["gemm"]):
        if row["gemm_dtype"] == AIC_TYPE[dtype]:
            shape = (int(row["m"]), int(row["n"]), int(row["k"]))
            rows[shape] = float(row["latency"]) * 1e-3
    return rows


def in_fit_domain(shape):
    m, n, k = shape
    return m >= 128 and m % 64 == 0 and n >= 256 and k >= 256


class Grid:
    """Trilinear functions on the nodes log2 m, n, k = integers."""

    def __init__(self, low, high):
        self.low = low
        self.shape = [h - l + 1 for l, h in zip(low, high)]
        self.size = math.prod(self.shape)
        self.strides = [self.shape[1] * self.shape[2], self.shape[2], 1]

    def node(self, index):
        """log2 of (m, n, k) at a node."""
        return tuple(self.low[d] + index // self.strides[d] % self.shape[d] for d in range(3))

    def weights(self, point):
        """The eight nodes around a point and their weights."""
        found = [(0, 1.0)]
        for d in range(3):
            x = point[d] - self.low[d]
            i = min(max(int(math.floor(x)), 0), self.shape[d] - 2)
            w = min(max(x - i, 0.0), 1.0)
            found = [(f + self.strides[d] * (i + step), g * part)
                     for f, g in found for step, part in ((0, 1 - w), (1, w)) if part > 0]
        return found

    def second_differences(self):
        """Triples of node indices in a line."""
        for index in range(self.size):
            for d in range(3):
                if index // self.strides[d] % self.shape[d] + 2 < self.shape[d]:
                    yield index, index + self.strides[d], index + 2 * self.strides[d]

    def fit(self, points, values):
        """Least squares with PENALTY on second differences, by conjugate gradients."""
        matrix = [dict() for _ in range(self.size)]
        right = [0.0] * self.size
        mean = statistics.fmean(values)
        for point, value in zip(points, values):
            found = self.weights(point)
            for i, wi in found:
                right[i] += wi * (value - mean)
                for j, wj in found:
                    matrix[i][j] = matrix[i].get(j, 0.0) + wi * wj
        for triple in self.second_differences():
            for i, ci in zip(triple, (1, -2, 1)):
                for j, cj in zip(triple, (1, -2, 1)):
                    matrix[i][j] = matrix[i].get(j, 0.0) + PENALTY * ci * cj
        return [mean + x for x in conjugate_gradients([list(r.items()) for r in matrix], right)]


def conjugate_gradients(matrix, right):
    x = [0.0] * len(right)
    residual = list(right)
    direction = list(right)
    norm = sum(r * r for r in residual)
    stop = 1e-20 * norm
    while norm > stop:
        image = [sum(a * direction[j] for j, a in row) for row in matrix]
        step = norm / sum(d * i for d, i in zip(direction, image))
        x = [a + step * d for a, d in zip(x, direction)]
        residual = [r - step * i for r, i in zip(residual, image)]
        last, norm = norm, sum(r * r for r in residual)
        direction = [r + norm / last * d for r, d in zip(residual, direction)]
    return x


def log2_of(shape):
    return tuple(math.log2(x) for x in shape)


def gpt_shapes():
    """GEMM shapes of the GPT above, forward and data gradient, tensor parallel 1 to 8."""
    shapes = set()
    for m in (2048, 4096, 8192):
        for t in (1, 2, 4, 8):
            for n, k in ((3 * HIDDEN // t, HIDDEN), (HIDDEN, HIDDEN // t), (FFN // t, HIDDEN),
                         (HIDDEN, FFN // t), (VOCABULARY // t, HIDDEN)):
                shapes |= {(m, n, k), (m, k, n)}
    return sorted(shapes)


def fit_gemm(table, folder, name, dtype):
    gpu = GPUS[name]
    rows = read_gemms(folder, gpu, dtype)
    domain = {s: math.log(ideal_gemm(gpu, dtype, *s) / t)
              for s, t in rows.items() if in_fit_domain(s)}
    largest = max(m for m, _, _ in domain)
    grid = Grid((7, 8, 8), (int(math.log2(largest)), 16, 16))
    train = sorted(s for s in domain if not held_out(s))
    values = grid.fit([log2_of(s) for s in train], [domain[s] for s in train])
    nodes = [(grid.node(i), min(values[i], 0.0)) for i in range(grid.size)]
    measured = [s for s in gpt_shapes() if s in rows] if dtype == "bf16" else []
    everything = nodes + [(log2_of(s), domain[s]) for s in measured]
    errors = [math.exp(domain[s] - interpolate(everything, log2_of(s),
                                               log2_of((s[1], s[0], s[2])))) - 1
              for s in sorted(domain) if held_out(s) and s not in set(measured)]

    fit_id = "aic-%s-gemm-%s-fit" % (name.lower(), dtype)
    table.add_source(
        fit_id, "fitted", "%s GEMM latencies of %s (%s %s; TensorRT-LLM)"
        % (AIC_TYPE[dtype], gpu["device"], AIC, gpu["gemm"]), AIC_URL, AIC_COMMIT, "Apache-2.0",
        "trilinear in log2(m n k) of log(efficiency) at powers of two; %d rows with m >= 128 a "
        "multiple of 64 and n k >= 256; " % len(train) + error_text(errors, "held-out rows"))
    for point, value in nodes:
        m, n, k = (2 ** x for x in point)
        table.add("gemm", name, "gemm", dtype, (m, n, k),
                  ideal_gemm(gpu, dtype, m, n, k) / math.exp(value), fit_id)
    if measured:
        row_id = "aic-%s-gemm" % name.lower()
        table.add_source(row_id, "measured", "single rows of the same table (%s)" % gpu["gemm"],
                         AIC_URL, AIC_COMMIT, "Apache-2.0", "")
        for shape in measured:
            table.add("gemm", name, "gemm", dtype, shape, rows[shape], row_id)
    print(name, dtype, "gemm:", error_text(errors, "held-out rows"))


def median_gemm_efficiency(folder, gpu):
    rows = read_gemms(folder, gpu, "bf16")
    return statistics.median(ideal_gemm(gpu, "bf16", *s) / t for s, t in rows.items()
                             if min(s) >= 2048)


# ---- attention -----------------------------------------------------------------------------------

def read_attention(folder, gpu):
    """(b, s, heads, kv heads, head dimension) -> seconds, causal, bf16."""
    rows = {}
    for row in read_rows(os.path.join(folder, AIC), gpu["attention"]):
        if (row["attn_dtype"], row["kv_cache_dtype"], row["window_size"], row["step"]) == (
                "bfloat16", "bfloat16", "0", "0"):
            shape = tuple(int(row[c]) for c in ("batch_size", "isl", "num_heads",
                                                "num_key_value_heads", "head_dim"))
            rows[shape] = float(row["latency"]) * 1e-3
    return rows


def add_attention(table, folder, name):
    gpu = GPUS[name]
    rows = read_attention(folder, gpu)
    chosen = [(b, s, heads, kv, 128) for b in (1, 2, 4, 8)
              for s in (512, 1024, 2048, 4096, 8192, 16384) for heads in (4, 8, 16, 32, 64)
              for kv in sorted({heads, heads // 4, heads // 8} - {0})]
    chosen = [s for s in chosen if s in rows]
    value = {s: math.log(ideal_attention(gpu, *s) / t) for s, t in rows.items()}
    nodes = [(log2_of(s), value[s]) for s in chosen]
    others = [s for s in sorted(rows) if s not in set(chosen) and s[0] <= 8
              and 512 <= s[1] <= 16384 and 4 <= s[2] <= 64 and s[4] == 128]
    errors = [math.exp(value[s] - guess) - 1 for s in others
              if (guess := interpolate(nodes, log2_of(s))) is not None]
    source = "aic-%s-attention" % name.lower()
    text = error_text(errors, "rows of the same table that are not shipped")
    table.add_source(source, "measured",
                     "single rows of the causal bf16 context attention latencies of %s (%s %s; "
                     "TensorRT-LLM; at short sequences slower than training kernels)"
                     % (gpu["device"], AIC, gpu["attention"]), AIC_URL, AIC_COMMIT, "Apache-2.0",
                     text)
    for shape in chosen:
        table.add("attention", name, "attention_fwd", "bf16", shape + (1,), rows[shape], source)
    print(name, "attention:", text)
    return value


def median_attention_efficiency(folder, gpu):
    return statistics.median(ideal_attention(gpu, *s) / t
                             for s, t in read_attention(folder, gpu).items()
                             if s[1] >= 4096 and s[2] >= 8 and s[4] == 128)


# ---- what is derived from other kernels ----------------------------------------------------------

def parse_simumax(text):
    return dict(part.strip().split("=") for part in text.split(","))


def weight_gradient_factor(ops):
    """Efficiency of the weight gradient (fp32 accumulation) over the forward GEMM's: median."""
    rows = {}
    for text, value in ops["matmul"]["accurate_efficient_factor"].items():
        row = parse_simumax(text)
        rows[row["layout"], int(row["m"]), int(row["n"]), int(row["k"])] = value
    ratios = []
    for (layout, m, n, k), value in sorted(rows.items()):
        gradient = rows.get(("NT", k, n, m)) or rows.get(("NT", n, k, m))
        if layout == "TN" and gradient:
            ratios.append(gradient / value)
    return ratios


def backward_factor(ops, forward):
    """SimuMax's flash backward efficiency over this table's forward one, same shape.

    SimuMax counts 4 b heads s^2 d forward and 2.5 times that backward, causal or not: half of it
    is executed.
    """
    ratios = []
    for text, value in sorted(ops["sdp_bwd"]["accurate_efficient_factor"].items()):
        row = {k: v for k, v in parse_simumax(text).items()}
        shape = tuple(int(row[c]) for c in ("batch", "seq_len", "head_num", "kv_head_num",
                                            "qk_head_dim"))
        if row["qk_head_dim"] == row["v_head_dim"] and shape in forward:
            ratios.append(value / 2 / math.exp(forward[shape]))
    return ratios


def spread(ratios):
    return "median of %d pairs; %.2f to %.2f" % (len(ratios), min(ratios), max(ratios))


def add_derived(table, folder, forward):
    with open(os.path.join(folder, "simumax", "a100_pcie.json")) as handle:
        ops = json.load(handle)["accelerator"]["op"]
    url, commit = "https://github.com/MooreThreads/SimuMax", "4dcaae5"
    ratios = weight_gradient_factor(ops)
    table.add_source("simumax-wgrad", "fitted",
                     "weight gradient (NT; accumulated in fp32) over forward (TN) GEMM efficiency "
                     "on A100-PCIe (simumax a100_pcie.json)", url, commit, "Apache-2.0",
                     spread(ratios))
    wgrad = statistics.median(ratios)
    ratios = backward_factor(ops, forward["A100"])
    table.add_source("simumax-attention-bwd", "fitted",
                     "flash attention backward efficiency on A100-PCIe (simumax a100_pcie.json) "
                     "over this table's forward efficiency at the same shape", url, commit,
                     "Apache-2.0", spread(ratios))
    backward = statistics.median(ratios)
    table.add_source("assumed-attention-bwd", "fitted",
                     "assumption: backward as efficient as this table's forward; no H100 backward "
                     "measurement is at hand", "", "", "", "factor 1 assumed")
    table.add_source("assumed-fp16", "fitted",
                     "assumption: fp16 as fast as bf16; the tensor cores have the same peak",
                     "", "", "", "factor 1 assumed")
    for name in ("A100", "H100"):
        for dtype in GPUS[name]["fits"]:
            table.derive(name, "gemm_wgrad", dtype, "gemm", dtype, wgrad, "simumax-wgrad")
        if name == "A100":
            table.derive(name, "attention_bwd", "bf16", "attention_fwd", "bf16", backward,
                         "simumax-attention-bwd")
        else:
            table.derive(name, "attention_bwd", "bf16", "attention_fwd", "bf16", 1.0,
                         "assumed-attention-bwd")
        table.derive(name, "gemm", "fp16", "gemm", "bf16", 1.0, "assumed-fp16")
        table.derive(name, "gemm_wgrad", "fp16", "gemm_wgrad", "bf16", 1.0, "assumed-fp16")
        table.derive(name, "attention_fwd", "fp16", "attention_fwd", "bf16", 1.0, "assumed-fp16")
        table.derive(name, "attention_bwd", "fp16", "attention_bwd", "bf16", 1.0, "assumed-fp16")
    print("wgrad factor %.3f, A100 attention backward factor %.3f" % (wgrad, backward))


# ---- memory-bound kernels -----------------------------------------------------------------------

def add_memory(table, folder, name):
    gpu = GPUS[name]
    octaves = {}
    for file in gpu["memory"]:
        for row in read_rows(os.path.join(folder, "vidur"), file):
            if row["time_stats.add.median"]:
                moved = 3 * 2 * int(row["num_tokens"]) * int(row["n_embd"])
                efficiency = moved / gpu["bandwidth"] / (
                    float(row["time_stats.add.median"]) * 1e-3)
                octaves.setdefault(round(math.log2(moved)), []).append(efficiency)
    source = "vidur-%s-add" % name.lower()
    # A tensor that fits into the L2 cache was served from there: cap at what HBM gives. Above the
    # measured sizes the cap holds.
    top = max(octaves)
    table.add_source(source, "fitted",
                     "bf16 tensor addition on %s (vidur %s)" % (name, " ".join(gpu["memory"])),
                     "https://github.com/microsoft/vidur", "7d47513", "MIT",
                     "median efficiency per octave of bytes read and written; capped at "
                     "aiconfigurator's HBM factor %.1f and held there above 2^%d bytes"
                     % (HBM_EFFICIENCY, top))
    for octave in range(min(octaves), 41):
        efficiency = min(statistics.median(octaves.get(octave, [HBM_EFFICIENCY])), HBM_EFFICIENCY)
        if len(octaves.get(octave, range(3))) >= 3:
            table.add("memory", name, "memory", "byte", (2 ** octave,),
                      2 ** octave / gpu["bandwidth"] / efficiency, source)


# ---- output ------------------------------------------------------------------------------------

DIMENSIONS = {
    "gemm": ["m", "n", "k"],
    "attention": ["b", "s", "heads", "kvHeads", "headDim", "causal"],
    "memory": ["bytes"],
}


class Table:
    def __init__(self):
        self.kernels = {}
        self.derived = []
        self.sources = []

    def add(self, file, gpu, op, dtype, shape, seconds, source):
        key = (gpu, op, dtype) + tuple(shape)
        rows = self.kernels.setdefault(file, {})
        if key in rows and rows[key][1].endswith("-fit"):
            del rows[key]  # the measurement takes the fitted node's place
        assert key not in rows, key
        rows[key] = ("%.1f" % (seconds * 1e9), source)

    def derive(self, *row):
        self.derived.append(row[:5] + ("%.3f" % row[5], row[6]))

    def add_source(self, *row):
        self.sources.append(row)

    def write(self, folder, gpus):
        write_csv(folder, "gpu.csv", ["name", "device", "memory_bytes", "memory_bytes_per_s"]
                  + ["peak_%s_flops" % t for t in TYPES]
                  + ["gemm_efficiency", "attention_efficiency", "memory_efficiency", "launch_ns",
                     "source"], gpus)
        write_csv(folder, "source.csv", ["source", "kind", "text", "url", "revision", "licence",
                                         "fit"], self.sources)
        write_csv(folder, "derived.csv", ["gpu", "op", "type", "from_op", "from_type",
                                          "efficiency_factor", "source"], self.derived)
        for file, rows in sorted(self.kernels.items()):
            write_csv(folder, "kernel-%s.csv" % file,
                      ["gpu", "op", "type"] + DIMENSIONS[file] + ["time_ns", "source"],
                      [key + value for key, value in sorted(rows.items())])


def write_csv(folder, name, header, rows):
    with open(os.path.join(folder, name), "w", newline="") as handle:
        handle.write("# SPDX-License-Identifier: GPL-2.0-only\n")
        handle.write("# Written by fit-kernel-table.py; see doc/formats/kernel-table.md\n")
        for row in [header] + list(rows):
            assert not any("," in str(cell) or '"' in str(cell) for cell in row), row
            handle.write(",".join(map(str, row)) + "\n")


def gpu_rows(table, folder):
    table.add_source("gpu-spec", "measured",
                     "bandwidth; memory; bf16 fp8 int8 peak; HBM factor %.1f; launch %d ns: "
                     "aiconfigurator systems/*.yaml; tf32 and fp32 peak: NVIDIA data sheets (dense)"
                     % (HBM_EFFICIENCY, LAUNCH_NS), AIC_URL, AIC_COMMIT, "Apache-2.0",
                     "gemm_efficiency and attention_efficiency: medians of the measured bf16 rows "
                     "with m n k >= 2048 and with s >= 4096 heads >= 8 head dimension 128")
    rows = []
    for name, gpu in sorted(GPUS.items()):
        rows.append([name, gpu["device"], gpu["memory_bytes"], "%.0f" % gpu["bandwidth"]]
                    + ["%.0f" % gpu["peaks"][t] if t in gpu["peaks"] else "" for t in TYPES]
                    + ["%.3f" % median_gemm_efficiency(folder, gpu),
                       "%.3f" % median_attention_efficiency(folder, gpu),
                       HBM_EFFICIENCY, LAUNCH_NS, "gpu-spec"])
        print(rows[-1])
    return rows


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, output = sys.argv[1:]
    table = Table()
    gpus = gpu_rows(table, folder)
    forward = {}
    for name in ("A100", "H100"):
        for dtype in GPUS[name]["fits"]:
            fit_gemm(table, folder, name, dtype)
        forward[name] = add_attention(table, folder, name)
        add_memory(table, folder, name)
    add_derived(table, folder, forward)
    table.write(output, gpus)


if __name__ == "__main__":
    main()
