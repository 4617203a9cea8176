// The commit that the program was built from.
#pragma once

namespace attest::terminal {

/// 40 hexadecimal digits, with "-dirty" where tracked files were changed; "unknown" outside of git.
const char* commit();

}  // namespace attest::terminal
