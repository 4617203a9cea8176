// Whether a launcher of parallel programs started this process.
#pragma once

#include <cstdlib>

namespace attest::journal {

/// True under mpirun of Open MPI or MPICH and under srun, which tell their processes by these variables. A process that
/// nobody launched must not initialise MPI, which then starts a daemon of its own.
inline bool started_by_a_launcher() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    if (std::getenv(variable) != nullptr) return true;
  return false;
}

}  // namespace attest::journal
