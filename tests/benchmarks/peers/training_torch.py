#!/usr/bin/env python3
"""Training steps of eager PyTorch on nanoGPT's CPU configuration: one JSON object on standard output.

training_torch.py TEXT [STEPS]: 4 layers, 4 heads, 128 channels, context 64, batch 12, float32, AdamW, clipping at 1;
the model of simulations/experiments/standard/nanogpt-cpu.toml (biases everywhere, exact GELU, tied embedding). --full:
that of simulations/experiments/paper/nanogpt.toml, 6 layers, 6 heads, 384 channels, context 256, batch 64, dropout 0.2.
"""
import argparse
import json
import math
import os
import statistics
import time

import torch
from torch import nn
from torch.nn import functional as F

LAYERS, HEADS, WIDTH, CONTEXT, BATCH, DROPOUT = 4, 4, 128, 64, 12, 0.0


def dropped_out(x):
    return F.dropout(x, DROPOUT) if DROPOUT > 0 else x


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("mask", torch.tril(torch.ones(CONTEXT, CONTEXT)).view(1, 1, CONTEXT, CONTEXT))

    def forward(self, x):
        batch, tokens, _ = x.shape
        q, k, v = (part.view(batch, tokens, HEADS, WIDTH // HEADS).transpose(1, 2)
                   for part in self.qkv(x).split(WIDTH, dim=2))
        logits = q @ k.transpose(-2, -1) / math.sqrt(WIDTH // HEADS)
        weights = torch.softmax(logits.masked_fill(self.mask[:, :, :tokens, :tokens] == 0, -math.inf), dim=-1)
        return self.out((dropped_out(weights) @ v).transpose(1, 2).reshape(batch, tokens, WIDTH))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.second_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = Attention()
        self.feedforward = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        x = x + dropped_out(self.attention(self.norm(x)))
        return x + dropped_out(self.feedforward(self.second_norm(x)))


class Model(nn.Module):
    def __init__(self, characters):
        super().__init__()
        self.embedding, self.positions = nn.Embedding(characters, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(*[Block() for _ in range(LAYERS)])
        self.norm = nn.LayerNorm(WIDTH)
        self.register_buffer("places", torch.arange(CONTEXT))
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens):
        x = self.norm(self.blocks(dropped_out(self.embedding(tokens) + self.positions(self.places))))
        return F.linear(x, self.embedding.weight)


def main():
    global LAYERS, HEADS, WIDTH, CONTEXT, BATCH, DROPOUT
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text")
    parser.add_argument("steps", nargs="?", type=int, default=60)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="float32")
    arguments = parser.parse_args()
    if arguments.full:
        LAYERS, HEADS, WIDTH, CONTEXT, BATCH, DROPOUT = 6, 6, 384, 256, 64, 0.2
    steps = arguments.steps
    with open(arguments.text, encoding="utf-8") as file:
        text = file.read()
    torch.set_num_threads(len(os.sched_getaffinity(0)))  # Debian's build starts with one.
    torch.manual_seed(1)
    code = {character: number for number, character in enumerate(sorted(set(text)))}
    data = torch.tensor([code[character] for character in text[:len(text) * 9 // 10]])
    model = Model(len(code)).to(arguments.device)
    matrices = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() <= 1]
    optimiser = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}],
                                  lr=1e-3, betas=(0.9, 0.99))

    def step():
        starts = torch.randint(len(data) - CONTEXT, (BATCH,))
        tokens = torch.stack([data[i:i + CONTEXT] for i in starts]).to(arguments.device)
        answers = torch.stack([data[i + 1:i + 1 + CONTEXT] for i in starts]).to(arguments.device)
        with torch.autocast(arguments.device, torch.bfloat16, enabled=arguments.precision == "bfloat16"):
            loss = F.cross_entropy(model(tokens).view(-1, len(code)), answers.view(-1))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        return loss.item()

    for _ in range(5):
        step()
    times, processor = [], time.process_time()
    for _ in range(steps):
        begun = time.perf_counter()
        loss = step()
        times.append(1000 * (time.perf_counter() - begun))
    processor = 1000 * (time.process_time() - processor) / steps
    print(json.dumps({"milliseconds": statistics.median(times), "processor_milliseconds": processor,
                      "threads": torch.get_num_threads(), "loss": loss, "torch": torch.__version__}))


if __name__ == "__main__":
    main()
