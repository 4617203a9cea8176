#include "simulations/terminal/freed_memory.hpp"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attest::terminal {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int largest = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, largest);
  mallopt(M_TRIM_THRESHOLD, largest);
#endif
}

}  // namespace attest::terminal
