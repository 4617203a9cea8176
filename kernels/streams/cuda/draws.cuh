// A thread's draws, as the streamed operations make them on the processor.
#pragma once

#include <Random123/philox.h>

#include "kernels/random/law_steps.hpp"
#include "kernels/random/laws.hpp"
#include "kernels/random/philox_lanes.hpp"

namespace attest::streamed::cuda {

struct StreamWords {
  std::uint64_t even, odd;
};

/// Words 2 block and 2 block + 1 of the stream.
__device__ inline StreamWords words(const random::StreamName& name, std::uint64_t block) {
  const philox4x32_ctr_t counter = {
      {static_cast<std::uint32_t>(block),
       static_cast<std::uint32_t>(((block >> 32) & 0xFFFFU) | ((name.sample >> 32) << 16)),
       static_cast<std::uint32_t>(name.sample), name.claim}};
  const philox4x32_key_t key = {{static_cast<std::uint32_t>(name.seed), static_cast<std::uint32_t>(name.seed >> 32)}};
  const philox4x32_ctr_t out = philox4x32_R(10, counter, key);
  return {out.v[0] | (std::uint64_t{out.v[1]} << 32), out.v[2] | (std::uint64_t{out.v[3]} << 32)};
}

/// Draws i and i + 1, i even.
__device__ inline random::DrawPair<double> draw_pair(const random::Law& law, const random::StreamName& name,
                                                     std::uint64_t i) {
  using Kind = random::LawKind;
  if (law.kind == Kind::student_t) {
    const StreamWords first = words(name, i), second = words(name, i + 1);
    return {random::student_steps<double, double>(first.even, first.odd, law.parameter),
            random::student_steps<double, double>(second.even, second.odd, law.parameter)};
  }
  const StreamWords w = words(name, i / 2);
  switch (law.kind) {
    case Kind::rademacher:
      return {random::rademacher_steps<double, double>(w.even), random::rademacher_steps<double, double>(w.odd)};
    case Kind::uniform:
      return {random::uniform_steps<double, double>(w.even), random::uniform_steps<double, double>(w.odd)};
    case Kind::laplace:
      return {random::laplace_steps<double, double>(w.even), random::laplace_steps<double, double>(w.odd)};
    case Kind::sparse_three_point:
      return {random::sparse_steps<double, double>(w.even, law.parameter),
              random::sparse_steps<double, double>(w.odd, law.parameter)};
    default:
      return random::normal_pair_steps<double, double>(w.even, w.odd);
  }
}

}  // namespace attest::streamed::cuda
