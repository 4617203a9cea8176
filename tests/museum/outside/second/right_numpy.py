from numpy_core import attention as _attention


def attention(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse)
