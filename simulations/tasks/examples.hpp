// Examples that evaluations look at, block by block on several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/parallel/blocks.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::tasks {

/// Examples of a block: enough for matrix products, few enough for the memory of attention matrices.
inline constexpr Index evaluated_block = 16;

/// The part that trained models are evaluated on: the test part, or the validation part where there is none.
inline const Part& evaluated_part(const Task& task) {
  return task.examples(task.test) > 0 ? task.test : task.validation;
}

/// What was asked for, as far as the part goes.
inline Index evaluated_examples(const Task& task, Index asked) {
  return std::min<Index>(asked, static_cast<Index>(task.examples(evaluated_part(task))));
}

/// function(batch, first) for blocks of the first `examples` examples of a part; the results in the blocks' order for
/// any number of threads.
template <typename Function>
auto for_each_example_block(const Task& task, const Part& part, Index examples, unsigned threads, Function function) {
  using Result = decltype(function(Batch(), Index{0}));
  const Index blocks = (examples + evaluated_block - 1) / evaluated_block;
  std::vector<Result> results(static_cast<std::size_t>(blocks));
  parallel::for_each_block(blocks, threads, [&](std::int64_t block) {
    const Index first = block * evaluated_block, count = std::min(evaluated_block, examples - first);
    results[static_cast<std::size_t>(block)] =
        function(task.batch(part, static_cast<std::size_t>(first), static_cast<std::size_t>(count)), first);
  });
  return results;
}

}  // namespace attest::tasks
