// How many bytes the program under test has allocated with `new`, at most at once.
#pragma once

#include <cstddef>
#include <functional>

namespace attest::tests {

/// The most bytes allocated by operator new, on all threads, at any time while `work` ran, beyond those before. Linking
/// this file replaces the global operators new and delete.
std::size_t peak_of_allocations(const std::function<void()>& work);

}  // namespace attest::tests
