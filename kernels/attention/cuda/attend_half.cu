#include "kernels/attention/cuda/launch.cuh"

namespace attest::attention {

ATTEST_INSTANTIATE_CUDA(Half)

}  // namespace attest::attention
