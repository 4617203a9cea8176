#include "theorems/language/papers/paper_file.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/files/whole_file.hpp"
#include "kernels/names/nearest.hpp"
#include "theorems/language/papers/computed_numbers.hpp"
#include "theorems/language/papers/paper_lines.hpp"
#include "theorems/language/papers/paper_references.hpp"
#include "theorems/language/papers/replacements.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {
namespace {

constexpr std::array head_keys = {"paper", "authors", "link", "licence", "note"};
constexpr std::array claim_keys = {"label",      "title",   "kind",     "says",       "near_miss",
                                   "near_hit",   "assumes", "expected", "finding",    "amends",
                                   "depends_on", "note",    "printed",  "transcribed"};
constexpr std::array repeatable = {"assumes", "note", "says", "near_miss", "near_hit"};
constexpr std::array kinds = {
    "identity",  "universal inequality", "asymptotic rate", "limit",  "expectation bound", "optimality condition",
    "existence", "definition",           "implication",     "figure", "cost model"};
constexpr std::array expectations = {"certified", "supported", "refuted", "undecided"};
constexpr std::array findings = {"error", "constant", "assumption", "slip", "imprecise", "unsupported"};

template <std::size_t N>
bool contains(const std::array<const char*, N>& all, std::string_view word) {
  return std::ranges::find(all, word) != all.end();
}

class Reader {
 public:
  Reader(const std::string& file, const KnownIds& known_elsewhere, Statements statements)
      : file_(file), known_elsewhere_(known_elsewhere), statements_(statements) {}

  PaperFile read_head(const std::vector<PaperEntry>& entries) {
    begin(entries);
    for (const PaperEntry& entry : entries) {
      if (entry.key == "claim") break;
      head(entry);
    }
    return std::move(paper_);
  }

  PaperFile read(const std::vector<PaperEntry>& entries) {
    begin(entries);
    for (const PaperEntry& entry : entries) {
      if (entry.key == "claim")
        begin_claim(entry);
      else if (paper_.claims.empty())
        head(entry);
      else
        block(entry);
    }
    end_claim();
    if (paper_.claims.empty())
      fail(entries.back().place, "the file holds no claim; add a block that begins with: claim ID");
    const PaperReferences references(file_, paper_, references_);
    if (known_elsewhere_) references.check_ids(*known_elsewhere_);
    references.check_circles();
    return std::move(paper_);
  }

 private:
  void begin(const std::vector<PaperEntry>& entries) const {
    if (entries.front().key != "paper")
      fail(entries.front().place,
           fmt::format("the file begins with '{}'; begin with a line such as paper \"Title\"", entries.front().key));
  }

  [[noreturn]] void fail(Place place, const std::string& sentence) const { throw PaperProblem(file_, place, sentence); }

  /// Each key once in a block, but for those that may repeat.
  template <std::size_t N>
  void check_key(const PaperEntry& entry, const std::array<const char*, N>& known, std::string_view where) {
    if (!contains(known, entry.key)) {
      std::vector<std::string> names(known.begin(), known.end());
      if (where == "the head") names.emplace_back("claim");
      fail(entry.place,
           fmt::format("unknown key '{}' in {}{}", entry.key, where,
                       names::did_you_mean(names, entry.key,
                                           "a value goes on in lines that are indented deeper than its key")));
    }
    if (!seen_.insert(entry.key).second && !contains(repeatable, entry.key))
      fail(entry.place, fmt::format("'{}' stands twice in {}; remove one", entry.key, where));
    if (entry.value.empty())
      fail(entry.place, fmt::format("'{0}' has no value; write it after the key, or remove the line", entry.key));
  }

  void head(const PaperEntry& entry) {
    if (!entry.indentation.none()) fail(entry.place, "the head is not indented; move this line to the left margin");
    check_key(entry, head_keys, "the head");
    std::string value = as_prose(entry.value);
    if (entry.key == "paper") {
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
      if (value.empty()) fail(entry.value_place, "the paper has no title; write it between the quotation marks");
      paper_.title = value;
    } else if (entry.key == "authors") {
      paper_.authors = value;
    } else if (entry.key == "link") {
      paper_.link = value;
    } else if (entry.key == "licence") {
      paper_.licence = value;
    } else {
      append_paragraph(paper_.note, value);
    }
  }

  static void append_paragraph(std::string& note, const std::string& value) {
    note += note.empty() ? value : "\n" + value;
  }

  void begin_claim(const PaperEntry& entry) {
    if (!entry.indentation.none())
      fail(entry.place, "'claim' begins at the left margin; remove the white space before it");
    end_claim();
    seen_.clear();
    indentation_ = {};
    PaperClaim claim{.id = entry.value, .place = entry.value.empty() ? entry.place : entry.value_place};
    if (claim.id.empty()) fail(claim.place, "the claim has no id; write, for example, claim softmax-lipschitz");
    const std::size_t odd = claim.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-/");
    if (odd != std::string::npos)
      fail(in_file(entry, {1, static_cast<int>(odd) + 1}),
           "an id is lower-case letters, digits and . - / without spaces; change this character");
    if (const auto [earlier, is_new] = places_.emplace(claim.id, claim.place); !is_new)
      fail(claim.place,
           fmt::format("the id '{}' is taken by the claim at line {}; choose another", claim.id, earlier->second.line));
    paper_.claims.push_back(std::move(claim));
  }

  void end_claim() {
    if (paper_.claims.empty()) return;
    const PaperClaim& claim = paper_.claims.back();
    if (claim.says.empty())
      fail(claim.place,
           fmt::format("the claim '{}' says nothing; add a line such as says forall x in R: x^2 >= 0", claim.id));
    check_names(claim, claim.says, "says", claim.says.size() > 1);
    check_names(claim, claim.near_misses, "near_miss", true);
    check_names(claim, claim.near_hits, "near_hit", true);
  }

  void check_names(const PaperClaim& claim, const std::vector<PaperStatement>& statements, const char* key,
                   bool needed) const {
    std::set<std::string> names;
    for (const PaperStatement& each : statements) {
      if (needed && each.name.empty())
        fail(claim.place, fmt::format("a '{0}' of the claim '{1}' has no name; write it in brackets: {0} [name] ...",
                                      key, claim.id));
      if (!names.insert(each.name).second)
        fail(claim.place,
             fmt::format("two '{}' of the claim '{}' have the name '{}'; change one", key, claim.id, each.name));
    }
  }

  /// [NAME] STATEMENT, or the statement alone; of a changed statement also [NAME] replace OLD by NEW, in `says`.
  PaperStatement statement(const PaperEntry& entry, std::span<const PaperStatement> says) const {
    PaperStatement read;
    std::string text = entry.value;
    if (text.front() == '[') {
      const std::size_t end = text.find(']');
      if (end == std::string::npos)
        fail(entry.value_place, "the name is not closed; write it between [ and ], then the statement");
      read.name = as_prose(text.substr(1, end - 1));
      if (read.name.empty()) fail(entry.value_place, "the brackets hold no name; write one, or remove them");
      // Blanks in its place keep line and column of what follows.
      for (std::size_t i = 0; i <= end; ++i)
        if (text[i] != '\n') text[i] = ' ';
    }
    const bool replaces = !says.empty() && tells_replacements(text);
    read.text = replaces ? replaced(entry, read.name, text, says) : text;
    if (statements_ == Statements::kept_as_text) return read;
    try {
      // Of replacements the line is that of the key: the place in the whole is nobody's.
      read.statement = read_statement(read.text, entry.value_place);
    } catch (const Problem& problem) {
      if (replaces) fail(entry.value_place, fmt::format("with the replacement made, {}", problem.sentence()));
      fail(problem.place(), problem.sentence());
    }
    return read;
  }

  PaperStatement changed(const PaperEntry& entry, const PaperClaim& claim) const {
    if (claim.says.empty())
      fail(entry.place, fmt::format("'{}' changes what the claim says; move it below 'says'", entry.key));
    return statement(entry, claim.says);
  }

  /// What the part that the name begins with says after the replacements, or else the one part where they apply.
  std::string replaced(const PaperEntry& entry, const std::string& name, const std::string& text,
                       std::span<const PaperStatement> says) const {
    std::vector<std::string> texts;
    for (const PaperStatement& part : says)
      if (is_of_part(name, part.name)) texts.push_back(part.text);
    if (texts.empty())
      for (const PaperStatement& part : says) texts.push_back(part.text);
    try {
      return with_replacements(text, texts);
    } catch (const std::invalid_argument& problem) {
      fail(entry.value_place, problem.what());
    }
  }

  void block(const PaperEntry& entry) {
    PaperClaim& claim = paper_.claims.back();
    if (entry.indentation.none() && !contains(claim_keys, entry.key) && contains(head_keys, entry.key))
      fail(entry.place, fmt::format("'{}' belongs to the head; move it before the first claim", entry.key));
    check_key(entry, claim_keys, "a claim");
    if (entry.indentation.none())
      fail(entry.place, "the lines of a claim are indented; put two spaces before this one");
    if (indentation_.none()) indentation_ = entry.indentation;
    if (entry.indentation != indentation_)
      fail(entry.place,
           fmt::format("the keys of a claim are indented alike, by {} spaces or tabs as its first; this one by {}",
                       indentation_.at_least, entry.indentation.at_least));
    const std::string value = as_prose(entry.value);
    if (entry.key == "says") {
      claim.says.push_back(statement(entry, {}));
    } else if (entry.key == "near_miss") {
      claim.near_misses.push_back(changed(entry, claim));
    } else if (entry.key == "near_hit") {
      claim.near_hits.push_back(changed(entry, claim));
    } else if (entry.key == "kind") {
      claim.kind = one_of(entry, value, kinds);
    } else if (entry.key == "label") {
      claim.label = value;
    } else if (entry.key == "title") {
      claim.title = prose(entry);
    } else if (entry.key == "assumes") {
      claim.assumptions.push_back(prose(entry));
    } else if (entry.key == "expected") {
      claim.expected = one_of(entry, value, expectations);
    } else if (entry.key == "finding") {
      claim.finding = one_of(entry, value, findings);
    } else if (entry.key == "amends") {
      claim.amends = value;
      claim.printed = false;  // an amendment is the file's author's
      references_.push_back({paper_.claims.size() - 1, value, entry.value_place, false});
    } else if (entry.key == "depends_on") {
      depends_on(entry, claim);
    } else if (entry.key == "note") {
      append_paragraph(claim.note, prose(entry));
    } else if (entry.key == "transcribed") {
      claim.transcribed = value;
    } else {
      constexpr std::array answers = {"yes", "no"};
      claim.printed = one_of(entry, value, answers) == "yes";
    }
  }

  /// What is said in words, with its numbers computed.
  std::string prose(const PaperEntry& entry) const {
    try {
      return as_prose(with_computed_numbers(entry.value));
    } catch (const Problem& problem) {
      fail(in_file(entry, problem.place()), problem.sentence());
    }
  }

  template <std::size_t N>
  std::string one_of(const PaperEntry& entry, const std::string& value, const std::array<const char*, N>& words) const {
    if (!contains(words, value))
      fail(entry.value_place,
           fmt::format("'{}' is '{}', which is none of: {}", entry.key, value, fmt::join(words, ", ")));
    return value;
  }

  void depends_on(const PaperEntry& entry, PaperClaim& claim) {
    std::size_t at = 0;
    int line = 1, column = 1;
    std::set<std::string> named;
    while (at <= entry.value.size()) {
      const std::size_t end = std::min(entry.value.find(',', at), entry.value.size());
      const std::string item = entry.value.substr(at, end - at);
      // The place of the id itself, after white space and line breaks.
      Place place{line, column};
      bool inside = false;
      for (const char c : item) {
        if (!inside && c != ' ' && c != '\n') {
          place = {line, column};
          inside = true;
        }
        column = c == '\n' ? 1 : column + 1;
        line += c == '\n' ? 1 : 0;
      }
      ++column;
      const std::string id = as_prose(item);
      if (id.empty()) fail(in_file(entry, place), "an id is missing between the commas; add it, or remove a comma");
      if (!named.insert(id).second) fail(in_file(entry, place), fmt::format("'{}' is named twice; remove one", id));
      claim.depends_on.push_back(id);
      references_.push_back({paper_.claims.size() - 1, id, in_file(entry, place), true});
      at = end + 1;
    }
  }

  const std::string& file_;
  KnownIds known_elsewhere_;
  Statements statements_;
  PaperFile paper_;
  std::map<std::string, Place> places_;  ///< of ids
  std::set<std::string> seen_;           ///< keys of this block
  Indentation indentation_ = {};         ///< of this block's keys
  std::vector<PaperReference> references_;
};

}  // namespace

PaperProblem::PaperProblem(const std::string& file, Place place, const std::string& sentence)
    : std::runtime_error(fmt::format("{}, line {}, column {}: {}", file, place.line, place.column, sentence)),
      place_(place) {}

bool is_of_part(std::string_view name, std::string_view part) {
  return !part.empty() && name.size() > part.size() + 1 && name.starts_with(part) &&
         name.substr(part.size()).starts_with(": ");
}

PaperFile read_paper(std::string_view text, const std::string& file, const KnownIds& known_elsewhere,
                     Statements statements) {
  return Reader(file, known_elsewhere, statements).read(paper_entries(text, file));
}

PaperFile read_head(std::string_view text, const std::string& file) {
  return Reader(file, std::nullopt, Statements::read).read_head(paper_entries(text, file));
}

bool holds_claims(std::string_view text) {
  for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
    const std::string_view rest = text.substr(line);
    if (rest.starts_with("claim ") || rest.starts_with("claim\t")) return true;
    if (rest.find('\n') == std::string_view::npos) break;
  }
  return false;
}

PaperFile read_paper_file(const std::filesystem::path& file, const KnownIds& known_elsewhere) {
  return read_paper(files::read_whole(file), file.string(), known_elsewhere);
}

}  // namespace attest::language
