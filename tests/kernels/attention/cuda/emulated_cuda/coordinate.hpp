// Where a thread of a block stands.
#pragma once

namespace attest::emulation {

constexpr unsigned threads_a_block = 128, threads_a_warp = 32;

struct Coordinate {
  unsigned x = 0;
};

}  // namespace attest::emulation
