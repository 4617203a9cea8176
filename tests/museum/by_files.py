"""A function of the museum as a program over files: by_files.py NAME IN.npz OUT.npz, NAME as in museum_targets. Options that are
not arrays are in the environment variable ATTEST_OPTIONS, as JSON."""
import json
import os
import sys

import numpy as np

import museum_targets

name, given, answer = sys.argv[1:]
options = {key: tuple(value) if isinstance(value, list) else value
           for key, value in json.loads(os.environ["ATTEST_OPTIONS"]).items()}
arrays = {key: value for key, value in np.load(given).items() if key not in options}
q, k, v = (arrays.pop(key) for key in "qkv")
np.savez(answer, **getattr(museum_targets, name)(q, k, v, **arrays, **options))
