#include "simulations/training/blas_kernels.hpp"

#include <cstdlib>
#include <string_view>

#include <dlfcn.h>
#include <unistd.h>

namespace attest::training {

void use_fitting_blas_kernels(char** argv) {
#if defined(__x86_64__)
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  constexpr std::string_view fallback = "Prescott";
  if (std::getenv(variable) != nullptr) return;
  void* const found = dlsym(RTLD_DEFAULT, "openblas_get_corename");
  if (found == nullptr) return;
  using Corename = char* (*)();
  if (reinterpret_cast<Corename>(found)() != fallback) return;  // NOLINT: what dlsym gives
  const bool wide = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                    __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  const bool haswell = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (!haswell) return;
  setenv(variable, wide ? "SkylakeX" : "Haswell", 1);
  execv("/proc/self/exe", argv);
  // It could not be started again: slower, but right.
  unsetenv(variable);
#else
  static_cast<void>(argv);
#endif
}

}  // namespace attest::training
