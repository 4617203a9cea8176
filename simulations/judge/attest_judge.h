/* What a C library exports to be judged: one function,
 *
 *     int attest_judge_attention(attest_judge_call* call);
 *
 * built into a shared library: cc -shared -fPIC -o libmine.so mine.c, then: attest judge ./libmine.so --as softmax
 * Nothing else of ours is needed. The README ("Judging your own kernel") says what each option means. */
#ifndef ATTEST_JUDGE_H
#define ATTEST_JUDGE_H

/* NOLINTBEGIN(modernize-*): C reads this too */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever the structs below change. A library checks that call->version is the one it was built with. */
#define ATTEST_JUDGE_VERSION 1

enum attest_judge_type {
  ATTEST_JUDGE_FLOAT64 = 1,
  ATTEST_JUDGE_FLOAT32 = 2,
  ATTEST_JUDGE_FLOAT16 = 3,
  ATTEST_JUDGE_BFLOAT16 = 4,
  ATTEST_JUDGE_BOOL = 5, /* one byte, 0 or 1 */
  ATTEST_JUDGE_INT32 = 6
};

/* An array. Entry (i, j, ...) is at data + type's bytes * (i strides[0] + j strides[1] + ...). data is NULL where the
 * array is absent: an input that the case has not, or an output that is not asked for. */
typedef struct {
  void* data;
  int32_t type;
  int32_t rank;
  int64_t shape[4];
  int64_t strides[4]; /* in entries; they need not be those of contiguous memory, in results neither */
} attest_judge_array;

enum attest_judge_result {
  ATTEST_JUDGE_DONE = 0,
  ATTEST_JUDGE_FAILED = 1,     /* an error: a finding; say why in message */
  ATTEST_JUDGE_UNSUPPORTED = 2 /* the library does not take this type, shape or option: the case is skipped */
};

typedef struct {
  uint32_t version; /* ATTEST_JUDGE_VERSION */
  uint32_t bytes;   /* sizeof(attest_judge_call) */
  /* Inputs. q [B][H][N_q][D], k [B][H_kv][N_k][D], v [B][H_kv][N_k][D_v]. */
  attest_judge_array q, k, v;
  attest_judge_array mask;         /* boolean, or of q's type and added; [N_q][N_k] or [B][1 or H][N_q][N_k] */
  attest_judge_array bias;         /* [H][N_q][N_k] */
  attest_judge_array alibi_slopes; /* [H] */
  attest_judge_array sinks;        /* [H] */
  attest_judge_array dropout_mask; /* [B][H][N_q][N_k], the factors 0 and 1 / (1 - rate) */
  attest_judge_array cu_seqlens, cu_seqlens_k; /* int32, cumulative lengths of packed sequences */
  attest_judge_array dout;                     /* like out; absent: no gradients */
  attest_judge_array dlse;                     /* like lse */
  /* Outputs, to be written. Every entry holds NaN before the call. */
  attest_judge_array out; /* [B][H][N_q][D_v] */
  attest_judge_array lse; /* [B][H][N_q], float32 for 16-bit types; leave it as it is when there is none */
  attest_judge_array dq, dk, dv;
  const char* options; /* "causal=true;alignment=bottom_right;scale=0.3;window=2,0;softcap=5", in this order; "" without any */
  uint64_t seed;
  char message[256]; /* to be written: why the call failed */
} attest_judge_call;

/* Returns an attest_judge_result. */
int attest_judge_attention(attest_judge_call* call);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*) */

#endif
