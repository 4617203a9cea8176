#!/usr/bin/env python3
"""Writes the model of ONNX Runtime's fused attention for each number of heads, FOLDER/attention-HEADS.onnx.

attention_onnx_model.py FOLDER HEADS [HEADS ...]; wants the package onnx (Debian: python3-onnx). The model is one operator,
com.microsoft MultiHeadAttention, of query, key and value [batch][token][heads x features].
"""
import pathlib
import sys

from onnx import TensorProto, helper, save


def model(heads):
    shape = ["batch", "tokens", "width"]
    arrays = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("query", "key", "value")]
    out = helper.make_tensor_value_info("out", TensorProto.FLOAT, shape)
    node = helper.make_node("MultiHeadAttention", ["query", "key", "value"], ["out"], domain="com.microsoft",
                            num_heads=heads)
    graph = helper.make_graph([node], "attention", arrays, [out])
    return helper.make_model(graph, ir_version=8,
                             opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for heads in map(int, sys.argv[2:]):
        save(model(heads), str(pathlib.Path(sys.argv[1]) / f"attention-{heads}.onnx"))


main()
