// The King James Bible, as Debian's packages bible-kjv (a program) and bible-kjv-text (its compressed data) hold it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest::data {

/// One verse: where it stands ("Ge1:1") and what it says.
struct Verse {
  std::string reference;
  std::string text;
};

/// Verses in the program's output, one per line: reference, one blank, text.
/// Errors: std::runtime_error naming the source, line and fix when a line is not a verse or there is none.
std::vector<Verse> parse_verses(std::string_view output, const std::string& name);

/// All verses, printed by the program `bible` from its installed data.
/// Errors: std::runtime_error naming the packages to install when the program or its data are missing, or fewer verses
/// come out than the King James Version has.
std::vector<Verse> read_kjv();

/// Whether the program and its data are installed.
bool kjv_is_installed();

/// The texts of the verses, one per line, without the references.
std::string running_text(const std::vector<Verse>& verses);

}  // namespace attest::data
