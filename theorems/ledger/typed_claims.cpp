#include "theorems/ledger/typed_claims.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "kernels/files/whole_file.hpp"
#include "kernels/parallel/blocks.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/language/read.hpp"
#include "theorems/ledger/measured_change.hpp"
#include "theorems/ledger/texts.hpp"
#include "theorems/ledger/typed_check.hpp"

namespace attest::ledger {
namespace {

namespace fs = std::filesystem;
using engine::Kind;
using language::PaperClaim;
using language::PaperStatement;

std::optional<fs::path>& directory() {
  static std::optional<fs::path> chosen;
  return chosen;
}

std::string full_id(const std::string& id, const std::string& paper) {
  return id.find('/') == std::string::npos ? paper + "/" + id : id;
}

Kind kind_from_name(const std::string& word) {
  for (const Kind kind :
       {Kind::identity, Kind::universal_inequality, Kind::rate, Kind::limit, Kind::expectation_bound, Kind::optimality,
        Kind::existence, Kind::definition, Kind::implication, Kind::figure, Kind::cost_model})
    if (engine::name(kind) == word) return kind;
  throw std::invalid_argument("unknown kind of claim: " + word);
}

engine::Finding finding_from_name(const std::string& word) {
  using engine::Finding;
  for (const Finding finding : {Finding::error, Finding::constant, Finding::assumption, Finding::slip,
                                Finding::imprecise, Finding::unsupported})
    if (engine::name(finding) == word) return finding;
  return Finding::none;
}

/// A part's name as text: what follows ^, a word or a bracket, is raised.
std::string in_text(std::string_view name) {
  std::string tex;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (std::string_view("_#%&${}").find(c) != std::string_view::npos) {
      tex += std::string("\\") + c;
    } else if (c == '^') {
      const std::string_view rest = name.substr(i + 1);
      const auto is_word = [](char d) { return std::isalnum(static_cast<unsigned char>(d)) != 0; };
      std::size_t length = 0;
      if (rest.starts_with('('))
        length = std::min(rest.size(), rest.find(')')) + (rest.find(')') == std::string_view::npos ? 0 : 1);
      else
        while (length < rest.size() && is_word(rest[length])) ++length;
      tex += fmt::format("}}^{{\\text{{{}}}}}\\text{{", in_text(rest.substr(0, length)));
      i += length;
    } else {
      tex += c;
    }
  }
  return tex;
}

/// A statement of a claim under its name, empty for the only one.
struct ClaimPart {
  std::string name;
  SharedStatement statement;
};

SharedStatement shared(const PaperStatement& each) {
  return each.statement.claim ? shared_statement(each.statement) : statement_of_text(each.text);
}

/// Parts under their names, each an aligned line of the whole.
std::string tex_of(const std::vector<ClaimPart>& parts) {
  if (parts.size() == 1) return language::tex(*parts.front().statement.get());
  std::string tex = "\\begin{aligned}";
  for (const ClaimPart& each : parts)
    tex += fmt::format("{}&\\text{{{}: }}\\ {}", &each == &parts.front() ? "" : " \\\\ ", in_text(each.name),
                       language::tex(*each.statement.get()));
  return tex + "\\end{aligned}";
}

engine::Deferred<Kind> kind_of_shared(const SharedStatement& statement) {
  return engine::Deferred<Kind>::later([statement] { return kind_of(*statement.get()); });
}

engine::Statement statement_of(const PaperClaim& claim, const std::vector<ClaimPart>& parts, const std::string& paper) {
  engine::Statement statement;
  statement.id = full_id(claim.id, paper);
  statement.label = claim.label.empty() ? claim.id : claim.label;
  statement.title = claim.title.empty() ? language::normal_form(*parts.front().statement.get()) : claim.title;
  statement.kind =
      claim.kind.empty() ? kind_of_shared(parts.front().statement) : engine::Deferred<Kind>(kind_from_name(claim.kind));
  statement.tex = engine::Deferred<std::string>::later([parts] { return tex_of(parts); });
  statement.assumptions = claim.assumptions;
  statement.expected_to_stand = claim.expected.empty();
  if (!claim.expected.empty()) statement.expected = engine::verdict_from_name(claim.expected);
  statement.finding = finding_from_name(claim.finding);
  statement.printed = claim.printed;
  if (!claim.amends.empty()) statement.amends = full_id(claim.amends, paper);
  statement.note = claim.note;
  for (const std::string& id : claim.depends_on) statement.depends_on.push_back(full_id(id, paper));
  return statement;
}

/// The heading of a part's evidence: its place among the parts makes the id distinct.
evidence::Heading heading_of(const engine::Statement& statement, const ClaimPart& part, std::size_t number) {
  return {.id = number == 0 ? statement.id : fmt::format("{}.{}", statement.id, number),
          .paper = statement.paper(),
          .label = statement.label,
          .title = statement.title,
          .part = part.name};
}

engine::Check check_of(const std::vector<ClaimPart>& parts, const engine::Statement& statement) {
  if (parts.size() == 1) return typed_check(parts.front().statement, heading_of(statement, parts.front(), 0));
  std::vector<engine::Part> checked;
  for (const ClaimPart& each : parts)
    checked.push_back({each.name, kind_of_shared(each.statement),
                       typed_check(each.statement, heading_of(statement, each, checked.size() + 1))});
  return engine::composite(std::move(checked));
}

/// The part whose name begins the neighbour's, as in "upper bound: 0.49 for 1/2"; empty where none does.
std::string part_of(const std::string& name, const std::vector<PaperStatement>& parts) {
  for (const PaperStatement& part : parts)
    if (language::is_of_part(name, part.name)) return part.name;
  return {};
}

/// The least change from a statement of the claim to the neighbour: from the part that it names, if it does.
double change_from(const std::vector<PaperStatement>& parts, const PaperStatement& neighbour, const std::string& part) {
  double least = 1;
  for (const PaperStatement& each : parts)
    if (part.empty() || each.name == part) least = std::min(least, measured_change(each.text, neighbour.text));
  return least;
}

std::vector<engine::Neighbour> neighbours_of(const std::vector<PaperStatement>& statements,
                                             const std::vector<PaperStatement>& parts) {
  std::vector<engine::Neighbour> neighbours;
  for (const PaperStatement& each : statements) {
    const std::string part = part_of(each.name, parts);
    neighbours.push_back({each.name, change_from(parts, each, part), typed_check(shared(each)), part});
  }
  return neighbours;
}

/// The claims of every embedded text, read once by all cores; their statements are read when somebody asks for them.
const std::vector<engine::Claims>& read_embedded() {
  static const std::vector<engine::Claims> all = [] {
    const auto& texts = embedded_texts();
    std::vector<engine::Claims> claims(texts.size());
    parallel::for_each_block(
        static_cast<std::int64_t>(texts.size()), parallel::hardware_threads(), [&](std::int64_t i) {
          const Text& text = texts[static_cast<std::size_t>(i)];
          const std::string name = fmt::format("theorems/{}/{}.attest", text.folder, text.stem);
          claims[static_cast<std::size_t>(i)] =
              claims_of(language::read_paper(text.text, name, std::nullopt, language::Statements::kept_as_text),
                        paper_of(fs::path(text.folder)), name);
        });
    return claims;
  }();
  return all;
}

/// FOLDER/paper.attest without a claim: it names its paper and says nothing.
bool is_head_alone(const fs::path& file) {
  if (file.stem() != "paper") return false;
  return !language::holds_claims(files::read_whole(file));
}

/// The text of that name: from disk where a folder was chosen and holds it.
std::optional<std::pair<std::string, engine::Claims>> read_text(std::string_view folder, std::string_view stem) {
  const std::string paper = paper_of(fs::path(folder));
  const std::string name = fmt::format("{}/{}.attest", folder, stem);
  if (directory()) {
    const fs::path file = *directory() / name;
    if (fs::exists(file) && !is_head_alone(file))
      return std::pair{file.string(), claims_of(language::read_paper_file(file, std::nullopt), paper, file.string())};
  }
  const auto& texts = embedded_texts();
  const auto text = std::ranges::find_if(texts, [&](const Text& t) { return t.folder == folder && t.stem == stem; });
  if (text != texts.end()) return std::pair{name, read_embedded()[static_cast<std::size_t>(text - texts.begin())]};
  return std::nullopt;
}

}  // namespace

engine::Claims claims_of(const language::PaperFile& file, const std::string& paper, const std::string& name) {
  engine::Claims claims;
  for (const PaperClaim& each : file.claims) {
    engine::Claim claim;
    std::vector<ClaimPart> parts;
    for (const PaperStatement& part : each.says) parts.push_back({part.name, shared(part)});
    claim.statement = statement_of(each, parts, paper);
    claim.check = check_of(parts, claim.statement);
    claim.near_misses = neighbours_of(each.near_misses, each.says);
    claim.near_hits = neighbours_of(each.near_hits, each.says);
    claim.source = fmt::format("{}:{}", name, each.place.line);
    claims.push_back(std::move(claim));
  }
  return claims;
}

std::string paper_of(const fs::path& file) {
  std::string paper;
  for (const char c : file.stem().string()) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0 && letter < 128)
      paper += static_cast<char>(std::tolower(letter));
    else if (!paper.empty() && paper.back() != '-')
      paper += '-';
  }
  while (!paper.empty() && paper.back() == '-') paper.pop_back();
  if (paper.empty())
    throw std::invalid_argument(
        fmt::format("{}: the file's name gives the paper its id; name it with letters or digits", file.string()));
  return paper;
}

engine::Claims claims_of_text(std::string_view folder, std::string_view stem) {
  auto read = read_text(folder, stem);
  return read ? std::move(read->second) : engine::Claims{};
}

void read_from(const fs::path& chosen) {
  if (!fs::is_directory(chosen))
    throw std::invalid_argument(fmt::format(
        "--theorems {0}: '{0}' is not a folder; name the one that holds the papers' folders", chosen.string()));
  const auto is_text = [](const fs::directory_entry& entry) { return entry.path().extension() == ".attest"; };
  if (std::none_of(fs::recursive_directory_iterator(chosen), fs::recursive_directory_iterator(), is_text))
    throw std::invalid_argument(fmt::format(
        "--theorems {}: no file FOLDER/NAME.attest is there; name the folder that holds the papers' folders",
        chosen.string()));
  directory() = chosen;
}

engine::Claims claims_of_further_texts(const std::vector<std::pair<std::string, std::string>>& known) {
  engine::Claims claims;
  if (!directory()) return claims;
  std::set<std::pair<std::string, std::string>> further;
  for (const auto& entry : fs::recursive_directory_iterator(*directory())) {
    if (entry.path().extension() != ".attest" || is_head_alone(entry.path())) continue;
    further.emplace(entry.path().parent_path().filename().string(), entry.path().stem().string());
  }
  for (const auto& name : known) further.erase(name);
  for (const auto& [folder, stem] : further) engine::append(claims, claims_of_text(folder, stem));
  return claims;
}

void keep_last(engine::Claims& claims) {
  if (!directory()) return;
  std::map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < claims.size(); ++i) last[claims[i].statement.id] = i;
  engine::Claims kept;
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (last.at(claims[i].statement.id) == i) kept.push_back(std::move(claims[i]));
  claims = std::move(kept);
}

}  // namespace attest::ledger
