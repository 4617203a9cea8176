// How far a process has come, as Linux counts it.
#pragma once

#include <sys/types.h>

namespace attest::judge {

struct ProcessorTime {
  double seconds = 0;     ///< that the process has had, all its threads together
  bool computes = false;  ///< it runs or waits for a processor; false where it sleeps or has ended
};

/// Of a process that is there. Zeros and false where /proc does not say.
ProcessorTime processor_time_of(pid_t process);

}  // namespace attest::judge
