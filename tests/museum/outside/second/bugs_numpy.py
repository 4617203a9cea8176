from numpy_core import attention as _attention


def n01(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse, 'dk unscaled')


def n02(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse, 'cap of biased')


def n03(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse, 'undropped')


def n04(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse, 'last head')


def n05(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse, 'delta of keys')


def n06(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse, 'lse without sinks')


def n07(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse, 'bias head')


def n08(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse, 'narrow sums')


def n09(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse, 'inplace')


def n10(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
        dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right', dout=None, dlse=None):
    return _attention(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                      cu_seqlens_k, alignment, dout, dlse, 'global offset')
