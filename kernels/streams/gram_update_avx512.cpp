// Compiled for AVX-512 (kernels/CMakeLists.txt). Only templates that no other file instantiates may be used here.
#include "kernels/streams/gram_update_lanes.hpp"

namespace attest::streams {

void gram_update_avx512(const double* rows, std::size_t count, std::size_t stride, double* gram) {
  GramLanes<64>::update(rows, count, stride, gram);
}

}  // namespace attest::streams
