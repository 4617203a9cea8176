"""The faults of tiled.py and tiled_torch.py, each as a function with the options that it takes."""
import csv
import pathlib

import tiled

HERE = pathlib.Path(__file__).resolve().parent


def _of_numpy(bug):
    def attention(q, k, v, *, mask=None, causal=False, alignment="bottom_right", scale=None, window=None, softcap=None, bias=None,
                  alibi_slopes=None, sinks=None, cu_seqlens=None, cu_seqlens_k=None, dropout_mask=None, dout=None, dlse=None):
        return tiled.core(q, k, v, bug, mask=mask, causal=causal, alignment=alignment, scale=scale, window=window,
                          softcap=softcap, bias=bias, alibi_slopes=alibi_slopes, sinks=sinks, cu_seqlens=cu_seqlens,
                          cu_seqlens_k=cu_seqlens_k, dropout_mask=dropout_mask, dout=dout, dlse=dlse)
    return attention


def _of_torch(bug):
    import tiled_torch

    def attention(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=None):
        return tiled_torch.core(q, k, v, bug, mask=mask, causal=causal, scale=scale, window=window, softcap=softcap)
    return attention


def __getattr__(name):
    """The faults of the table that stand here, and right_numpy and right_torch without one."""
    if name in ("right_numpy", "right_torch"):
        return _of_numpy(None) if name == "right_numpy" else _of_torch(None)
    with open(HERE.parent / "outside.tsv", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if row["name"] == name and row["where"] == "faults.py":
                return (_of_torch if "--torch" in row["options"] else _of_numpy)(name)
    raise AttributeError(name)
