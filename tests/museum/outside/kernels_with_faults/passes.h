/* The passes of kernel.c for one REAL: one query alone, forward, backward. */

/* One query alone: two passes over its keys. */
static void FN(decode)(const context* c, FN(scratch)* w, int64_t b, int64_t h, segment g, REAL* O, REAL* L) {
  const attest_judge_call* a = c->a;
  int64_t hk = h / c->group, nk = g.k1 - g.k0, i = g.q0, p = c->top_left ? 0 : nk - 1;
#ifdef BUG_SINGLE_QUERY_WITHOUT_SOFTCAP
  double softcap = 0;
#else
  double softcap = c->softcap;
#endif
  REAL* s = malloc(sizeof(REAL) * (nk + 1));
  uint8_t* seen = calloc(nk + 1, 1);
  REAL m = -INFINITY, l = 0, slope;
  FN(pack)(&a->q, b, h, i, 1, w->W, a->q.strides[2], w->q, w->W);
  for (int64_t t = 0; t < nk; t++) {
    if (!FN(in_band)(c, p, t)) continue;
    FN(pack)(&a->k, b, hk, g.k0 + t, 1, w->W, a->k.strides[2], w->k, w->W);
    seen[t] = (uint8_t)FN(score)(c, b, h, i, g.k0 + t, p, t, 0, softcap, FN(dot)(w->q, w->k, w->W), &s[t], &slope);
    if (seen[t] && s[t] > m) m = s[t];
  }
  if (a->sinks.data) {
    REAL sink = (REAL)load(&a->sinks, h * a->sinks.strides[0]);
    if (sink > m) m = sink;
    if (sink != -INFINITY) l += FN(ex)(sink - m);
  }
  for (int64_t d = 0; d < c->Dv; d++) w->acc[d] = 0;
  for (int64_t t0 = 0; t0 < nk; t0 += BN) {
    REAL lt = 0;
    for (int64_t d = 0; d < c->Dv; d++) w->part[d] = 0;
    for (int64_t t = t0; t < nk && t < t0 + BN; t++) {
      if (!seen[t]) continue;
      REAL e = FN(ex)(s[t] - m);
      lt += e;
      e *= FN(factor)(c, b, h, i, g.k0 + t);
      FN(pack_v)(&a->v, b, hk, g.k0 + t, 1, c->Dv, w->v, w->WV);
      if (e != 0)
        for (int64_t d = 0; d < c->Dv; d++) w->part[d] += e * w->v[d];
    }
    l += lt;
    for (int64_t d = 0; d < c->Dv; d++) w->acc[d] += w->part[d];
  }
  for (int64_t d = 0; d < c->Dv; d++) O[i * c->Dv + d] = l != 0 ? w->acc[d] / l : 0;
  L[i] = l != 0 ? m + LOG(l) : -INFINITY;
  free(s);
  free(seen);
}

static void FN(forward)(const context* c, FN(scratch)* w, int64_t b, int64_t h, segment g, REAL* O, REAL* L) {
  const attest_judge_call* a = c->a;
  int64_t hk = h / c->group, nq = g.q1 - g.q0, nk = g.k1 - g.k0, shift = c->top_left ? 0 : nk - nq, Dv = c->Dv;
  if (nq == 1 && nk > 0) { FN(decode)(c, w, b, h, g, O, L); return; }
#ifdef BUG_KEYS_BY_VALUE_STRIDE
  int64_t kstride = a->v.strides[2];
#else
  int64_t kstride = a->k.strides[2];
#endif
  for (int64_t i0 = 0; i0 < nq; i0 += BM) {
    int64_t nr = nq - i0 < BM ? nq - i0 : BM;
    FN(pack)(&a->q, b, h, g.q0 + i0, nr, w->W, a->q.strides[2], w->q, w->W);
#ifndef BUG_CLEARED_AT_FIRST_TILE_ALONE
    for (int64_t r = 0; r < nr; r++) {
      w->m[r] = -INFINITY;
      w->l[r] = 0;
      for (int64_t d = 0; d < Dv; d++) w->acc[r * Dv + d] = 0;
    }
#else
    if (nk == 0)
      for (int64_t r = 0; r < nr; r++) {
        w->m[r] = -INFINITY; w->l[r] = 0;
        for (int64_t d = 0; d < Dv; d++) w->acc[r * Dv + d] = 0;
      }
#endif
    int64_t nt = FN(tiles)(nk);
    for (int64_t t = 0; t < nt; t++) {
      int64_t j0 = t * BN, nc = nk - j0 < BN ? nk - j0 : BN;
      FN(band) band = FN(tile_band)(c, i0 + shift, i0 + nr - 1 + shift, j0, j0 + nc - 1);
      if (band.skip) continue;
#ifdef BUG_CLEARED_AT_FIRST_TILE_ALONE
      if (t == 0)
        for (int64_t r = 0; r < nr; r++) {
          w->m[r] = -INFINITY;
          w->l[r] = 0;
          for (int64_t d = 0; d < Dv; d++) w->acc[r * Dv + d] = 0;
        }
#endif
      FN(pack)(&a->k, b, hk, g.k0 + j0, nc, w->W, kstride, w->k, w->W);
      FN(pack_v)(&a->v, b, hk, g.k0 + j0, nc, Dv, w->v, w->WV);
      for (int64_t r = 0; r < nr; r++) {
        REAL s[BN], slope, m = w->m[r], l = 0;
        uint8_t seen[BN];
        int64_t i = g.q0 + i0 + r, p = i0 + r + shift;
        for (int64_t x = 0; x < nc; x++) {
#ifdef BUG_MAXIMUM_OVER_HIDDEN_KEYS
          REAL raw = FN(dot)(w->q + r * w->W, w->k + x * w->W, w->W) * (REAL)c->scale;
          if (!(c->softcap > 0) && raw > m) m = raw;
#endif
          seen[x] = (uint8_t)(!band.check || FN(in_band)(c, p, j0 + x));
          if (!seen[x]) continue;
          seen[x] = (uint8_t)FN(score)(c, b, h, i, g.k0 + j0 + x, p, j0 + x, 0, c->softcap,
                                       FN(dot)(w->q + r * w->W, w->k + x * w->W, w->W), &s[x], &slope);
          if (seen[x] && s[x] > m) m = s[x];
        }
        for (int64_t d = 0; d < Dv; d++) w->part[d] = 0;
        for (int64_t x = 0; x < nc; x++) {
          if (!seen[x]) continue;
          REAL e = FN(ex)(s[x] - m);
          l += e;
          e *= FN(factor)(c, b, h, i, g.k0 + j0 + x);
          if (e != 0)
            for (int64_t d = 0; d < Dv; d++) w->part[d] += e * w->v[x * w->WV + d];
        }
        REAL alpha = w->m[r] == -INFINITY ? 0 : FN(ex)(w->m[r] - m);
        w->l[r] = w->l[r] * alpha + l;
        for (int64_t d = 0; d < Dv; d++) w->acc[r * Dv + d] = w->acc[r * Dv + d] * alpha + w->part[d];
        w->m[r] = m;
      }
    }
    for (int64_t r = 0; r < nr; r++) {
      int64_t i = g.q0 + i0 + r;
      REAL m = w->m[r], l = w->l[r], keep = 1;
      if (a->sinks.data) {
        REAL sink = (REAL)load(&a->sinks, h * a->sinks.strides[0]);
        if (sink != -INFINITY) {
          REAL top = sink > m ? sink : m;
          keep = m == -INFINITY ? 0 : FN(ex)(m - top);
          l = l * keep + FN(ex)(sink - top);
          m = top;
        }
      }
      for (int64_t d = 0; d < Dv; d++) O[i * Dv + d] = l != 0 ? w->acc[r * Dv + d] * keep / l : 0;
      L[i] = l != 0 ? m + LOG(l) : -INFINITY;
    }
  }
}

static void FN(backward)(const context* c, FN(scratch)* w, int64_t b, int64_t h, segment g, const REAL* O, const REAL* L,
                         REAL* dk, REAL* dv, uint8_t* touched) {
  const attest_judge_call* a = c->a;
  int64_t hk = h / c->group, nq = g.q1 - g.q0, nk = g.k1 - g.k0, shift = c->top_left ? 0 : nk - nq, D = c->D, Dv = c->Dv;
#ifdef BUG_KEYS_BY_VALUE_STRIDE
  int64_t kstride = a->v.strides[2];
#else
  int64_t kstride = a->k.strides[2];
#endif
  for (int64_t i0 = 0; i0 < nq; i0 += BM) {
    int64_t nr = nq - i0 < BM ? nq - i0 : BM;
    REAL delta[BM], dlse[BM];
    FN(pack)(&a->q, b, h, g.q0 + i0, nr, w->W, a->q.strides[2], w->q, w->W);
    FN(pack)(&a->dout, b, h, g.q0 + i0, nr, Dv, a->dout.strides[2], w->dout, w->WV);
    for (int64_t r = 0; r < nr; r++) {
      int64_t i = g.q0 + i0 + r;
      delta[r] = FN(dot)(w->dout + r * w->WV, O + i * Dv, Dv);
      dlse[r] = a->dlse.data ? (REAL)load(&a->dlse, b * a->dlse.strides[0] + h * a->dlse.strides[1] + i * a->dlse.strides[2]) : 0;
      for (int64_t d = 0; d < D; d++) w->dq[r * D + d] = 0;
    }
    int64_t nt = FN(tiles)(nk);
    for (int64_t t = 0; t < nt; t++) {
      int64_t j0 = t * BN, nc = nk - j0 < BN ? nk - j0 : BN;
      FN(band) band = FN(tile_band)(c, i0 + shift, i0 + nr - 1 + shift, j0, j0 + nc - 1);
      if (band.skip) continue;
      FN(pack)(&a->k, b, hk, g.k0 + j0, nc, w->W, kstride, w->k, w->W);
      FN(pack_v)(&a->v, b, hk, g.k0 + j0, nc, Dv, w->v, w->WV);
      memset(touched + g.k0 + j0, 1, nc);
      for (int64_t r = 0; r < nr; r++) {
        int64_t i = g.q0 + i0 + r, p = i0 + r + shift;
        if (L[i] == -INFINITY) continue;
        REAL* part = w->part;
        for (int64_t d = 0; d < D; d++) part[d] = 0;
        for (int64_t x = 0; x < nc; x++) {
          REAL s, slope;
          int64_t j = g.k0 + j0 + x;
          if (band.check && !FN(in_band)(c, p, j0 + x)) continue;
          if (!FN(score)(c, b, h, i, j, p, j0 + x, 0, c->softcap, FN(dot)(w->q + r * w->W, w->k + x * w->W, w->W), &s, &slope)) continue;
          REAL e = FN(ex)(s - L[i]), f = FN(factor)(c, b, h, i, j);
          REAL dp = f == 0 ? 0 : f * FN(dot)(w->dout + r * w->WV, w->v + x * w->WV, Dv);
          REAL ds = e * (dp - delta[r] + dlse[r]) * slope;
#ifdef BUG_WIDTH_64_WITHOUT_SCALE
          ds *= D == 64 ? (REAL)0.125 : (REAL)c->scale;
#else
          ds *= (REAL)c->scale;
#endif
          REAL ef = e * f;
          for (int64_t d = 0; d < Dv; d++) dv[j * Dv + d] += ef * w->dout[r * w->WV + d];
          for (int64_t d = 0; d < D; d++) {
            dk[j * D + d] += ds * w->q[r * w->W + d];
            part[d] += ds * w->k[x * w->W + d];
          }
        }
        for (int64_t d = 0; d < D; d++) w->dq[r * D + d] += part[d];
      }
    }
    if (a->dq.data)
      for (int64_t r = 0; r < nr; r++)
        for (int64_t d = 0; d < D; d++) store(&a->dq, at4(&a->dq, b, h, g.q0 + i0 + r, d), w->dq[r * D + d]);
  }
}

static int FN(run)(context* c) {
  attest_judge_call* a = c->a;
  int64_t D = c->D, Dv = c->Dv;
  FN(scratch) w;
  w.W = D;
  w.WV = Dv;
#ifdef BUG_FEATURE_PAIRS_AT_ODD_WIDTH
  if ((a->q.type == ATTEST_JUDGE_FLOAT16 || a->q.type == ATTEST_JUDGE_BFLOAT16)) w.W = (D + 1) / 2 * 2; /* loads of pairs */
#endif
  int64_t wide = (D > Dv ? D : Dv) + 8;
  w.q = malloc(sizeof(REAL) * BM * wide);
  w.k = malloc(sizeof(REAL) * BN * wide);
  w.v = malloc(sizeof(REAL) * BN * wide);
  w.acc = malloc(sizeof(REAL) * BM * wide);
  w.part = malloc(sizeof(REAL) * wide);
  w.dq = malloc(sizeof(REAL) * BM * wide);
  w.dout = malloc(sizeof(REAL) * BM * wide);
  REAL* O = malloc(sizeof(REAL) * (c->Nq * Dv + 1));
  REAL* L = malloc(sizeof(REAL) * (c->Nq + 1));
  int grad = a->dout.data != NULL;
  int64_t nk = c->B * c->Hkv * c->Nk;
  static REAL* DK;
  static int64_t capacity;
  REAL* DV = NULL;
  uint8_t* touched = NULL;
  if (grad) {
    if (nk * D > capacity || !DK) {
      free(DK);
      DK = calloc(nk * D + 1, sizeof(REAL));
      capacity = nk * D;
    }
#ifndef BUG_STATIC_DK_NOT_CLEARED
    else
      memset(DK, 0, sizeof(REAL) * nk * D);
#endif
    DV = calloc(nk * Dv + 1, sizeof(REAL));
    touched = calloc(nk + 1, 1);
  }
  for (int64_t b = 0; b < c->B; b++)
    for (int64_t h = 0; h < c->H; h++) {
      for (int64_t i = 0; i < c->Nq; i++) L[i] = -INFINITY;
      for (int64_t i = 0; i < c->Nq * Dv; i++) O[i] = 0;
      for (int s = 0; s < c->nseg; s++) FN(forward)(c, &w, b, h, c->seg[s], O, L);
      for (int64_t i = 0; i < c->Nq; i++) {
        for (int64_t d = 0; d < Dv; d++) store(&a->out, at4(&a->out, b, h, i, d), O[i * Dv + d]);
        if (a->lse.data) store(&a->lse, b * a->lse.strides[0] + h * a->lse.strides[1] + i * a->lse.strides[2], L[i]);
      }
      if (!grad) continue;
      int64_t base = (b * c->Hkv + h / c->group) * c->Nk;
      if (a->dq.data && c->a->cu_seqlens.data)
        for (int64_t i = 0; i < c->Nq; i++)
          for (int64_t d = 0; d < D; d++) store(&a->dq, at4(&a->dq, b, h, i, d), 0);
      for (int s = 0; s < c->nseg; s++) FN(backward)(c, &w, b, h, c->seg[s], O, L, DK + base * D, DV + base * Dv, touched + base);
    }
  if (grad)
    for (int64_t b = 0; b < c->B; b++)
      for (int64_t h = 0; h < c->Hkv; h++)
        for (int64_t j = 0; j < c->Nk; j++) {
          int64_t base = (b * c->Hkv + h) * c->Nk + j;
#ifdef BUG_UNSEEN_KEY_TILES_NOT_WRITTEN
          if (!touched[base]) continue;
#endif
          for (int64_t d = 0; d < D && a->dk.data; d++) store(&a->dk, at4(&a->dk, b, h, j, d), DK[base * D + d]);
          for (int64_t d = 0; d < Dv && a->dv.data; d++)
#ifdef BUG_DV_AS_IF_CONTIGUOUS
            store(&a->dv, base * Dv + d, DV[base * Dv + d]);
#else
            store(&a->dv, at4(&a->dv, b, h, j, d), DV[base * Dv + d]);
#endif
        }
  free(w.q); free(w.k); free(w.v); free(w.acc); free(w.part); free(w.dq); free(w.dout);
  free(O); free(L); free(DV); free(touched);
  return ATTEST_JUDGE_DONE;
}
