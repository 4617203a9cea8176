// Papers written as text, as claims of the engine.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "theorems/engine/claim.hpp"
#include "theorems/language/papers/paper_file.hpp"

namespace attest::ledger {

/// The claims of a file; an id without '/' becomes "paper/id". A claim without a label is called by its id, one without
/// a title by its first statement, and one without `expected` is expected to stand.
/// Their `source` is `name`, what the file is called, with the line of each.
engine::Claims claims_of(const language::PaperFile& file, const std::string& paper, const std::string& name);

/// The id of the paper that a file of that name holds: lower-case letters, digits and '-', "my_Paper.attest" as
/// "my-paper". Errors: std::invalid_argument where nothing is left of it.
std::string paper_of(const std::filesystem::path& file);

/// The claims of theorems/FOLDER/STEM.attest, as it was embedded when the program was built, or as it stands in the
/// folder that `read_from` named; none where there is no such file. Errors: language::PaperProblem.
engine::Claims claims_of_text(std::string_view folder, std::string_view stem);

/// From now on texts are read from DIRECTORY/FOLDER/STEM.attest where that file is there. To be called before the first
/// use of `engine::all_claims`. Errors: std::invalid_argument where it is not a folder or holds no such file.
void read_from(const std::filesystem::path& directory);

/// Claims of texts in that directory under a name that no embedded text and no source has. None without a folder.
engine::Claims claims_of_further_texts(const std::vector<std::pair<std::string, std::string>>& known);

/// Where claims were read from disk, those that bear the id of an earlier one replace it.
void keep_last(engine::Claims& claims);

}  // namespace attest::ledger
