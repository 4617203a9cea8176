#include "kernels/attention/cuda/launch.cuh"

namespace attest::attention {

ATTEST_INSTANTIATE_CUDA(Bfloat16)

}  // namespace attest::attention
