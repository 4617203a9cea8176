// What code that the processor and a CUDA device share is marked with. ATTEST_UNROLL: a loop of constant length that is
// written out, since a loop inside would keep an outer loop from vectorising.
#pragma once

#if defined(__CUDACC__)
#define ATTEST_HOST_DEVICE __host__ __device__
#define ATTEST_UNROLL _Pragma("unroll")
#else
#define ATTEST_HOST_DEVICE
#define ATTEST_UNROLL _Pragma("GCC unroll 16")
#endif
