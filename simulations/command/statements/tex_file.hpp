// The TeX source of a paper, as a file.
#pragma once

#include <string>

namespace attest::commands {

/// Its text. Errors: std::invalid_argument where it cannot be read.
std::string read_tex(const std::string& file);

}  // namespace attest::commands
