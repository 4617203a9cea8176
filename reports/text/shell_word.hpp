// Words of a command that is printed to be copied into a shell.
#pragma once

#include <string>

namespace attest::reports {

/// `word` as a shell reads it back: itself where nothing in it means more to a shell, else in single quotes.
std::string shell_word(const std::string& word);

}  // namespace attest::reports
