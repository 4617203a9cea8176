#include "simulations/command/statements/statement_source.hpp"

#include <filesystem>
#include <iterator>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/files/whole_file.hpp"
#include "reports/text/terminal.hpp"
#include "simulations/command/statements/statement_filter.hpp"
#include "theorems/language/papers/paper_file.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"
#include "theorems/ledger/texts.hpp"
#include "theorems/ledger/typed_claims.hpp"

namespace attest::commands {
namespace {

namespace fs = std::filesystem;

NamedStatement typed(const std::string& text, const std::string& file) {
  try {
    language::Statement statement = language::read_statement(text);
    evidence::Heading heading = evidence::typed_heading(statement);
    return {std::move(heading), std::move(statement)};
  } catch (const language::Problem& problem) {
    throw std::invalid_argument(file.empty() ? problem.what() : fmt::format("{}: {}", file, problem.what()));
  }
}

void add_claim(const language::PaperClaim& claim, const std::string& paper, std::vector<NamedStatement>& all) {
  const std::string id = claim.id.find('/') == std::string::npos ? paper + "/" + claim.id : claim.id;
  for (std::size_t k = 0; k < claim.says.size(); ++k)
    all.push_back({{.id = claim.says.size() == 1 ? id : fmt::format("{}.{}", id, k + 1),
                    .paper = paper,
                    .label = claim.label,
                    .title = claim.title,
                    .part = claim.says[k].name},
                   claim.says[k].statement});
}

bool is_paper(const std::string& argument) {
  std::error_code ignored;
  return argument.ends_with(".attest") && fs::is_regular_file(argument, ignored);
}

/// Those claims of the file that one of the arguments names by id, by a glob over ids or by label, or all where none
/// does. Such arguments are counted in `used`.
std::vector<NamedStatement> of_paper(const fs::path& file, const std::vector<std::string>& arguments,
                                     std::set<std::string>& used) {
  std::vector<NamedStatement> all, chosen;
  const std::string paper = ledger::paper_of(file);
  for (const language::PaperClaim& claim : language::read_paper_file(file, std::nullopt).claims) {
    add_claim(claim, paper, all);
    const std::string id = claim.id.find('/') == std::string::npos ? paper + "/" + claim.id : claim.id;
    bool is_named = false;
    for (const std::string& argument : arguments) {
      if (!is_named_by(argument, id, claim.label)) continue;
      used.insert(argument);
      is_named = true;
    }
    if (is_named) add_claim(claim, paper, chosen);
  }
  return chosen.empty() ? all : chosen;
}

std::vector<NamedStatement> of_ledger(const std::string& id) {
  std::vector<NamedStatement> all;
  for (const ledger::Text& text : ledger::embedded_texts()) {
    // Most texts do not hold the word that the claim's line would have.
    if (text.text.find(id.substr(id.rfind('/') + 1)) == std::string_view::npos) continue;
    const std::string paper = ledger::paper_of(fs::path(text.folder));
    const std::string name = fmt::format("theorems/{}/{}.attest", text.folder, text.stem);
    for (const language::PaperClaim& claim : language::read_paper(text.text, name, std::nullopt).claims)
      if (claim.id == id || paper + "/" + claim.id == id) add_claim(claim, paper, all);
  }
  return all;
}

/// What one argument that is not a paper's file names.
std::vector<NamedStatement> named_alone(const std::string& argument) {
  std::error_code ignored;
  if (argument.size() < 4096 && fs::is_directory(argument, ignored))
    throw std::invalid_argument(fmt::format("{} is a folder: name a file in it", argument));
  if (argument.size() < 4096 && fs::is_regular_file(argument, ignored)) {
    const fs::path file(argument);
    const std::string text = files::read_whole(file);
    const auto document = nlohmann::json::parse(text, nullptr, false);
    if (document.is_discarded()) return {typed(text, argument)};
    if (!document.is_object() || !document.contains("statement") || !document["statement"].is_string())
      throw std::invalid_argument(fmt::format("{}: no key 'statement' with text; name an evidence file", argument));
    NamedStatement found = typed(document["statement"].get<std::string>(), argument);
    if (document.contains("id") && document["id"].is_string()) found.heading.id = document["id"].get<std::string>();
    return {found};
  }
  if (argument.ends_with(".attest"))
    throw std::invalid_argument(fmt::format("{} is not there; name a paper's file", argument));
  if (argument.find_first_of(" \t\n") != std::string::npos) return {typed(argument, "")};
  std::vector<NamedStatement> found = of_ledger(argument);
  if (found.empty())
    throw std::invalid_argument(
        fmt::format("'{}' is neither a file nor the id of a claim that stands as text; attest list shows the ids, and "
                    "a statement is "
                    "written in quotes",
                    argument));
  return found;
}

}  // namespace

std::vector<NamedStatement> statements_named(const std::vector<std::string>& arguments) {
  std::vector<NamedStatement> all;
  std::set<std::string> used;
  const auto add = [&all](std::vector<NamedStatement> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  for (const std::string& argument : arguments)
    if (is_paper(argument)) add(of_paper(argument, arguments, used));
  for (const std::string& argument : arguments)
    if (!is_paper(argument) && !used.contains(argument)) add(named_alone(argument));
  return all;
}

std::string name_for_people(const NamedStatement& statement) {
  constexpr std::size_t widest = 60;
  if (statement.heading.id != evidence::typed_heading(statement.statement).id) return statement.heading.id;
  return reports::cut_to(language::normal_form(statement.statement), widest);
}

}  // namespace attest::commands
