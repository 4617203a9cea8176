// A table of texts on standard output.
#pragma once

#include <string>
#include <vector>

namespace attest::commands {

/// Prints the rows with columns as wide as they need be; the first row is the heading. Precondition: rows of one
/// length.
void print_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace attest::commands
