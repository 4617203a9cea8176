/* Softmax attention in one pass over tiles of keys with an online softmax, the backward pass from lse, as fused kernels do it:
 * a right implementation with other roundings than attention.c. float64 is computed in float64, everything else in float32.
 * -DTILE=n keys a tile; -DLAST_FIRST: the last tile first; -DPARTS=n: the keys in n parts, combined at the end; -DFLUSHES:
 * what lies below the least normal number is 0, as on processors and in compilers' modes that flush subnormal numbers. */
#include "problem.h"

#ifdef FLUSHES
#include <xmmintrin.h>
enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };
#endif
#ifndef TILE
#define TILE 16
#endif
#ifndef PARTS
#define PARTS 1
#endif

#define REAL double
#define NAMED(name) name##_double
#define EXP exp
#define LOG log
#include "tiled_rows.h"
#undef REAL
#undef NAMED
#undef EXP
#undef LOG
#define REAL float
#define NAMED(name) name##_float
#define EXP expf
#define LOG logf
#include "tiled_rows.h"

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  if (has_more_than_masks(c)) return refused(c, "bias, ALiBi, sinks, dropout, packed sequences or softcap");
#ifdef ONLY_16_BITS
  if (c->q.type == ATTEST_JUDGE_FLOAT64 || c->q.type == ATTEST_JUDGE_FLOAT32) return refused(c, "32 and 64 bits");
#endif
  const problem p = read_problem(c);
#ifdef FLUSHES
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
#endif
  if (c->q.type == ATTEST_JUDGE_FLOAT64)
    attend_double(&p);
  else
    attend_float(&p);
#ifdef FLUSHES
  _mm_setcsr(before);
#endif
  return ATTEST_JUDGE_DONE;
}
