// attest info: version, compiler, components, devices.
#pragma once

namespace attest::commands {

/// Prints the facts of this build and machine. Returns the exit code.
int info(bool json);

}  // namespace attest::commands
