"""Ten implementations in NumPy with one bug each: a fault of numpy_core.py."""
from numpy_core import with_fault


dk_without_scale_under_softcap = with_fault("dk unscaled")
cap_slope_of_biased_logit = with_fault("cap of biased")
weights_gradient_undropped = with_fault("undropped")
dk_of_last_group_head = with_fault("last head")
delta_without_sink_weight = with_fault("delta of keys")
lse_without_sink = with_fault("lse without sinks")
bias_of_key_head = with_fault("bias head")
dk_dv_blocks_in_float16 = with_fault("narrow sums")
queries_scaled_in_place = with_fault("inplace")
packed_alignment_of_whole_arrays = with_fault("global offset")
