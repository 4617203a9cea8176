// attest new and attest drift: a paper's TeX source and its text file.
#pragma once

#include <string>

namespace attest::commands {

/// Writes the draft of the paper file `file` from the TeX source `tex`. Returns 0. Errors: std::invalid_argument where
/// `file` exists already, `tex` cannot be read, or labels nothing; reports::IoError.
int new_paper(const std::string& file, const std::string& tex);

/// Prints the claims of `file` whose source `tex` has moved away from them, and labels that no claim was transcribed
/// from. Returns 1 where a label is gone or its text has changed, else 0. Errors: std::invalid_argument where a file
/// cannot be read.
int drift(const std::string& tex, const std::string& file);

}  // namespace attest::commands
