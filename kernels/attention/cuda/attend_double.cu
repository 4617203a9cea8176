#include "kernels/attention/cuda/launch.cuh"

namespace attest::attention {

ATTEST_INSTANTIATE_CUDA(double)

}  // namespace attest::attention
