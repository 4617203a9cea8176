// A thread's draws, as the streamed operations make them on the processor.
#pragma once

#include "kernels/random/law_steps.hpp"
#include "kernels/random/laws.hpp"
#include "kernels/random/stream_words.hpp"

namespace attest::streams::cuda {

/// Draws i and i + 1, i even.
__device__ inline random::DrawPair<double> draw_pair(const random::Law& law, const random::StreamName& name,
                                                     std::uint64_t i) {
  using Kind = random::LawKind;
  if (law.kind == Kind::student_t) {
    const random::WordPair first = random::word_pair(name, i), second = random::word_pair(name, i + 1);
    return {random::student_steps<double, double>(first.even, first.odd, law.parameter),
            random::student_steps<double, double>(second.even, second.odd, law.parameter)};
  }
  const random::WordPair w = random::word_pair(name, i / 2);
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

}  // namespace attest::streams::cuda
