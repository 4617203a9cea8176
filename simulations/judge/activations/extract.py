#!/usr/bin/env python3
"""Queries, keys and values of a trained language model, as the table that the family "activations" of `attest judge` reads.

    attest train simulations/judge/activations/model.toml --out DIR
    extract.py DIR/checkpoints/softmax-seed-1.safetensors TEXT > simulations/judge/activations/activations.tsv

TEXT is the text that the model was trained on, verses without their labels (packages bible-kjv and bible-kjv-text):

    bible -p /usr/lib -f Gen1:1-Rev22:21 | sed 's/^[^ ]* //' > TEXT

The model is evaluated here, in NumPy and float64; its loss over the passage is printed
on standard error beside that of guessing, so that a wrong reading shows.
"""
import json
import math
import struct
import sys

import numpy as np

CONTEXT, HEADS, LAYER = 32, 4, 1  # as in model.toml; the layer whose arrays are written, from 0


def checkpoint(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__")
    return {name: np.frombuffer(data[8 + length + a["data_offsets"][0]:8 + length + a["data_offsets"][1]], "<f4")
            .reshape(a["shape"]).astype(float) for name, a in header.items()}


def norm(x, weights, name):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weights[name + ".weight"] + weights[name + ".bias"]


def linear(x, weights, name):
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


def heads_of(x):
    return x.reshape(len(x), HEADS, -1).transpose(1, 0, 2)


def attention(q, k, v):
    logits = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
    logits = np.where(np.tril(np.ones(logits.shape[-2:])) > 0, logits, -np.inf)
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


def forward(weights, tokens):
    """(q, k, v) of every layer, and the logits of the next token."""
    x, seen = weights["embedding"][tokens] + weights["positions"][:len(tokens)], []
    layers = sum(name.endswith("qkv.bias") for name in weights)
    for n in range(layers):
        qkv = [heads_of(part) for part in np.split(linear(norm(x, weights, f"layer {n}.norm"), weights, f"layer {n}.qkv"), 3, -1)]
        seen.append(qkv)
        mixed = attention(*qkv).transpose(1, 0, 2).reshape(len(tokens), -1)
        x = x + linear(mixed, weights, f"layer {n}.out")
        hidden = linear(norm(x, weights, f"layer {n}.feedforward.norm"), weights, f"layer {n}.feedforward.in")
        hidden = 0.5 * hidden * (1 + np.vectorize(math.erf)(hidden / math.sqrt(2)))
        x = x + linear(hidden, weights, f"layer {n}.feedforward.out")
    return seen, norm(x, weights, "norm") @ weights["embedding"].T


def main():
    weights = checkpoint(sys.argv[1])
    text = open(sys.argv[2], encoding="utf-8").read()
    letters = sorted(set(text))
    if len(letters) != len(weights["embedding"]):
        sys.exit(f"{sys.argv[2]} has {len(letters)} characters, the model knows {len(weights['embedding'])}")
    losses = []
    for start in range(len(text) * 95 // 100, len(text) - CONTEXT - 1, 1000):
        tokens = [letters.index(c) for c in text[start:start + CONTEXT + 1]]
        logits = forward(weights, tokens[:-1])[1]
        logits = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        losses.append(-np.mean([logits[i, t] for i, t in enumerate(tokens[1:])]))
    print(f"loss {np.mean(losses):.3f} over {len(losses)} passages; guessing {math.log(len(letters)):.3f}", file=sys.stderr)
    passage = text[len(text) * 97 // 100:][:CONTEXT]
    seen, _ = forward(weights, [letters.index(c) for c in passage])
    print(f"# layer {LAYER + 1} of the model of model.toml on {json.dumps(passage)}: array, head, token, features")
    for name, array in zip("qkv", seen[LAYER]):
        for h in range(HEADS):
            for n in range(CONTEXT):
                print(name, h, n, *(f"{x:.4g}" for x in array[h, n]), sep="\t")


if __name__ == "__main__":
    main()
