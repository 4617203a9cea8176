/* Softmax attention by oneDNN's matrix product and softmax (oneDNN 2's C interface) as a C library: float32, forward, causal. */
#include <math.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdlib.h>
#include <string.h>

#include "attest_judge.h"

typedef struct {
  dnnl_engine_t engine;
  dnnl_stream_t stream;
} museum_onednn;

static int museum_onednn_start(museum_onednn* d) {
  return dnnl_engine_create(&d->engine, dnnl_cpu, 0) != dnnl_success ||
         dnnl_stream_create(&d->stream, d->engine, dnnl_stream_default_flags) != dnnl_success;
}

static void museum_onednn_end(museum_onednn* d) {
  dnnl_stream_destroy(d->stream);
  dnnl_engine_destroy(d->engine);
}

static dnnl_memory_desc_t museum_matrix(dnnl_dim_t rows, dnnl_dim_t columns, dnnl_dim_t row_stride, dnnl_dim_t stride) {
  dnnl_memory_desc_t matrix;
  const dnnl_dims_t extents = {rows, columns}, strides = {row_stride, stride};
  dnnl_memory_desc_init_by_strides(&matrix, 2, extents, dnnl_f32, strides);
  return matrix;
}

/* Runs a primitive over up to three arrays; 0 on success. Frees `description`. */
static int museum_execute(museum_onednn* d, dnnl_primitive_desc_t description, int count, const int* names,
                          const dnnl_memory_desc_t* shapes, float** arrays) {
  dnnl_primitive_t primitive;
  dnnl_exec_arg_t arguments[3];
  int failed = dnnl_primitive_create(&primitive, description) != dnnl_success;
  dnnl_primitive_desc_destroy(description);
  if (failed) return 1;
  for (int i = 0; i < count; ++i) {
    arguments[i].arg = names[i];
    failed |= dnnl_memory_create(&arguments[i].memory, &shapes[i], d->engine, arrays[i]) != dnnl_success;
  }
  failed |= dnnl_primitive_execute(primitive, d->stream, count, arguments) != dnnl_success;
  failed |= dnnl_stream_wait(d->stream) != dnnl_success;
  for (int i = 0; i < count; ++i) dnnl_memory_destroy(arguments[i].memory);
  dnnl_primitive_destroy(primitive);
  return failed;
}

/* c = factor a b. */
static int museum_product(museum_onednn* d, float factor, dnnl_memory_desc_t a_shape, float* a,
                          dnnl_memory_desc_t b_shape, float* b, dnnl_memory_desc_t c_shape, float* c) {
  dnnl_matmul_desc_t operation;
  dnnl_primitive_attr_t attributes;
  dnnl_primitive_desc_t description;
  if (dnnl_matmul_desc_init(&operation, &a_shape, &b_shape, NULL, &c_shape) != dnnl_success) return 1;
  if (dnnl_primitive_attr_create(&attributes) != dnnl_success) return 1;
  dnnl_primitive_attr_set_output_scales(attributes, 1, 0, &factor);
  const int failed = dnnl_primitive_desc_create(&description, &operation, attributes, d->engine, NULL) != dnnl_success;
  dnnl_primitive_attr_destroy(attributes);
  if (failed) return 1;
  const int names[] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
  const dnnl_memory_desc_t shapes[] = {a_shape, b_shape, c_shape};
  float* arrays[] = {a, b, c};
  return museum_execute(d, description, 3, names, shapes, arrays);
}

/* Each row of `rows` x `columns` logits becomes its softmax. */
static int museum_softmax(museum_onednn* d, dnnl_dim_t rows, dnnl_dim_t columns, float* logits) {
  dnnl_softmax_desc_t operation;
  dnnl_primitive_desc_t description;
  const dnnl_memory_desc_t shape = museum_matrix(rows, columns, columns, 1);
  if (dnnl_softmax_forward_desc_init(&operation, dnnl_forward_inference, &shape, 1) != dnnl_success) return 1;
  if (dnnl_primitive_desc_create(&description, &operation, NULL, d->engine, NULL) != dnnl_success) return 1;
  const int names[] = {DNNL_ARG_SRC, DNNL_ARG_DST};
  const dnnl_memory_desc_t shapes[] = {shape, shape};
  float* arrays[] = {logits, logits};
  return museum_execute(d, description, 2, names, shapes, arrays);
}

/* out [n_q][d_v] = softmax(scale q k^T) v for contiguous q [n_q][d], k [n_k][d], v [n_k][d_v]; with `causal`, query i
 * sees keys up to i + shift, and a row that sees none becomes 0. `logits` is [n_q][n_k] of room. */
static int museum_head(museum_onednn* d, dnnl_dim_t n_q, dnnl_dim_t n_k, dnnl_dim_t width, dnnl_dim_t value_width,
                       float scale, int causal, dnnl_dim_t shift, float* q, float* k, float* v, float* logits,
                       float* out) {
  if (museum_product(d, scale, museum_matrix(n_q, width, width, 1), q, museum_matrix(width, n_k, 1, width), k,
                     museum_matrix(n_q, n_k, n_k, 1), logits) != 0)
    return 1;
  if (causal)
    for (dnnl_dim_t i = 0; i < n_q; ++i)
      for (dnnl_dim_t j = i + shift < -1 ? 0 : i + shift + 1; j < n_k; ++j) logits[i * n_k + j] = -INFINITY;
  if (museum_softmax(d, n_q, n_k, logits) != 0) return 1;
  if (causal)
    for (dnnl_dim_t i = 0; i < n_q && i + shift < 0; ++i)
      for (dnnl_dim_t j = 0; j < n_k; ++j) logits[i * n_k + j] = 0;
  return museum_product(d, 1, museum_matrix(n_q, n_k, n_k, 1), logits, museum_matrix(n_k, value_width, value_width, 1),
                        v, museum_matrix(n_q, value_width, value_width, 1), out);
}

/* The place of entry (b, h, n, d). */
static float* at(const attest_judge_array* a, int64_t b, int64_t h, int64_t n, int64_t d) {
  return (float*)a->data + b * a->strides[0] + h * a->strides[1] + n * a->strides[2] + d * a->strides[3];
}

/* The [n][d] matrix of one head as contiguous memory, and back. */
static void gather(const attest_judge_array* a, int64_t b, int64_t h, float* to) {
  for (int64_t n = 0; n < a->shape[2]; ++n)
    for (int64_t d = 0; d < a->shape[3]; ++d)
      *to++ = *at(a, b, h, n, d);
}

static void scatter(const float* from, const attest_judge_array* a, int64_t b, int64_t h) {
  for (int64_t n = 0; n < a->shape[2]; ++n)
    for (int64_t d = 0; d < a->shape[3]; ++d) *at(a, b, h, n, d) = *from++;
}

static float* room(int64_t rows, int64_t columns) { return malloc((size_t)(rows * columns) * sizeof(float)); }

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  const int causal = strstr(c->options, "causal=true") != NULL;
  const int64_t n_q = c->q.shape[2], n_k = c->k.shape[2], width = c->q.shape[3], value_width = c->v.shape[3];
  if (c->q.type != ATTEST_JUDGE_FLOAT32 || c->mask.data || c->bias.data || c->alibi_slopes.data || c->sinks.data ||
      c->dropout_mask.data || c->cu_seqlens.data || c->dout.data || c->k.shape[1] != c->q.shape[1] ||
      strstr(c->options, "scale") || strstr(c->options, "window") || strstr(c->options, "softcap"))
    return ATTEST_JUDGE_UNSUPPORTED;
  museum_onednn d;
  if (museum_onednn_start(&d) != 0) return ATTEST_JUDGE_FAILED;
  float *q = room(n_q, width), *k = room(n_k, width), *v = room(n_k, value_width), *logits = room(n_q, n_k),
        *out = room(n_q, value_width);
  int failed = 0;
  for (int64_t b = 0; b < c->q.shape[0]; ++b)
    for (int64_t h = 0; h < c->q.shape[1]; ++h) {
      gather(&c->q, b, h, q), gather(&c->k, b, h, k), gather(&c->v, b, h, v);
      const int64_t shift = strstr(c->options, "top_left") ? 0 : n_k - n_q;
      failed |= museum_head(&d, n_q, n_k, width, value_width, 1 / sqrtf((float)width), causal, shift, q, k, v, logits,
                            out);
      scatter(out, &c->out, b, h);
    }
  free(q), free(k), free(v), free(logits), free(out);
  museum_onednn_end(&d);
  return failed != 0 ? ATTEST_JUDGE_FAILED : ATTEST_JUDGE_DONE;
}
