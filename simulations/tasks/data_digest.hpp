// What data a training was done on, as one number.
#pragma once

#include <string>
#include <vector>

#include "simulations/tasks/task.hpp"

namespace attest::tasks {

/// The SHA-256 of the digests (digest_of) of all examples of all three parts of all tasks, as evaluations read them, in
/// blocks of 256: 64 hexadecimal digits.
std::string data_digest(const std::vector<const Task*>& tasks);

}  // namespace attest::tasks
