// Marks functions that the processor and a CUDA device share.
#pragma once

#if defined(__CUDACC__)
#define ATTEST_HOST_DEVICE __host__ __device__
#else
#define ATTEST_HOST_DEVICE
#endif
