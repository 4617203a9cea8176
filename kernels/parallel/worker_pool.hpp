// Threads that wait for work, because starting one takes as long as a short attention.
#pragma once

#include <functional>

namespace attest::parallel {

/// Runs `work` on the calling thread and on up to `helpers` others at the same time, and returns when all that began
/// have ended. A helper that wakes too late does not begin: `work` takes what there is to do from a shared place and
/// returns when nothing is left. Must not throw. Calls from several threads at once, or from inside `work`, start
/// threads of their own for the call.
void run_together(unsigned helpers, const std::function<void()>& work);

}  // namespace attest::parallel
