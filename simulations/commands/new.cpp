// attest new: the draft of a paper's text file, from its TeX source.
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "kernels/files/whole_file.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/command/output_files.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/language/papers/draft.hpp"
#include "theorems/language/papers/tex_source.hpp"

namespace attest::commands::definitions {
namespace {

/// Writes the draft of the paper file `file` from the TeX source `tex`. Returns 0. Errors: std::invalid_argument where
/// `file` exists already or does not end in .attest, `tex` cannot be read, or labels nothing; reports::IoError.
int new_paper(const std::string& file, const std::string& tex) {
  if (!file.ends_with(".attest"))
    throw std::invalid_argument(
        fmt::format("{0}: a paper's file ends in .attest, by which attest check knows it; name it {0}.attest", file));
  require_new(file);
  const std::string source = files::read_whole(tex);
  const auto labelled = language::labelled_environments(source);
  if (labelled.empty())
    throw std::invalid_argument(
        fmt::format("{}: no theorem, equation or the like in it has a \\label; label what is to be judged", tex));
  reports::write_file_atomically(file, language::draft_of(source));
  fmt::print("{}: {}; write what each says, then: attest check {}\n", file,
             reports::counted(std::ssize(labelled), "labelled statement"), file);
  return terminal::exit_success;
}

struct NewOptions {
  std::string tex, paper;
};

void add_new(CLI::App& verb, Chosen& chosen) {
  auto& o =
      options_for<NewOptions>(verb, chosen, [](const NewOptions& given) { return new_paper(given.paper, given.tex); });
  verb.add_option("paper", o.paper, "the text file to write, PAPER.attest")->required();
  verb.add_option("--from", o.tex, "the paper's TeX source, whose labelled theorems and equations are drafted")
      ->required();
  verb.footer("Exit codes: 0 the draft is written; 2 bad input; 3 a file failed.");
}

}  // namespace

Verb new_verb() { return {"new", "draft the text file of a paper from its TeX source", add_new}; }

}  // namespace attest::commands::definitions
