#include "simulations/tasks/data_digest.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/digest/sha256.hpp"

namespace attest::tasks {

std::string data_digest(const std::vector<const Task*>& tasks) {
  constexpr std::size_t block = 256;
  std::string digests;
  for (const Task* task : tasks)
    for (const Part* part : {&task->train, &task->validation, &task->test}) {
      const std::size_t examples = task->examples(*part);
      digests += fmt::format("{} examples\n", examples);
      for (std::size_t first = 0; first < examples; first += block)
        digests += fmt::format("{:016x}\n", digest_of(task->batch(*part, first, std::min(block, examples - first))));
    }
  return digest::sha256(digests);
}

}  // namespace attest::tasks
