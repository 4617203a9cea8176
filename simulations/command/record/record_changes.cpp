#include "simulations/command/record/record_changes.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/files/json_place.hpp"
#include "reports/record/results.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/terminal.hpp"
#include "simulations/command/plain_table.hpp"

namespace attest::commands {
namespace {

using reports::Claim;
using reports::Evidence;
using reports::JsonPlace;
using reports::Verdict;

/// How much a verdict says.
int strength(Verdict verdict) {
  switch (verdict) {
    case Verdict::certified:
    case Verdict::refuted:
      return 3;
    case Verdict::supported:
    case Verdict::vacuous:
      return 2;
    case Verdict::undecided:
      return 1;
    case Verdict::error:
      break;
  }
  return 0;
}

bool is_worse(const Claim& before, const Claim& after) {
  if (before.verdict == before.expected && after.verdict != after.expected) return true;
  return strength(after.verdict) < strength(before.verdict);
}

std::map<std::string, std::string> findings(const JsonPlace& document) {
  std::map<std::string, std::string> all;
  for (const JsonPlace& claim : document.at("claims").elements())
    all[claim.at("id").string()] = claim.string_or_empty("finding");
  return all;
}

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string statement_of(const Claim& claim) {
  return fmt::format("{} ({})", claim.statement, fmt::join(claim.assumptions, "; "));
}

std::string estimate_of(const Evidence& evidence) {
  return fmt::format("{:.6g} [{:.6g}, {:.6g}]", evidence.estimate.value_or(0), evidence.interval->lower,
                     evidence.interval->upper);
}

/// use(one, other) for each entry of `before` and the one of its name in `after`; of a name that several have, the
/// first of one with the first of the other, and so on.
template <typename Entry, typename Use>
void for_each_in_both(const std::vector<Entry>& before, const std::vector<Entry>& after, const Use& use) {
  std::vector<bool> taken(after.size());
  for (const Entry& one : before)
    for (std::size_t k = 0; k < after.size(); ++k) {
      if (taken[k] || after[k].name != one.name) continue;
      taken[k] = true;
      use(one, after[k]);
      break;
    }
}

/// The changes of one claim that both records have.
class Comparison {
 public:
  Comparison(const Claim& before, const Claim& after, std::vector<Change>& changes)
      : before_(before), after_(after), changes_(changes) {}

  void texts(const std::string& finding_before, const std::string& finding_after) {
    if (before_.verdict != after_.verdict)
      changes_.push_back({before_.id, "verdict", std::string(name(before_.verdict)), std::string(name(after_.verdict)),
                          is_worse(before_, after_)});
    if (before_.expected != after_.expected)
      add("expected", std::string(name(before_.expected)), std::string(name(after_.expected)));
    if (finding_before != finding_after) add("finding", or_none(finding_before), or_none(finding_after));
    if (statement_of(before_) != statement_of(after_)) add("statement", statement_of(before_), statement_of(after_));
  }

  void evidence() {
    evidence("evidence", before_.evidence, after_.evidence);
    for_each_in_both(before_.evidence.parts, after_.evidence.parts,
                     [this](const reports::Part& part, const reports::Part& other) {
                       evidence(fmt::format("evidence, {}", part.name), part.evidence, other.evidence);
                     });
  }

  void near_misses() {
    for_each_in_both(before_.near_misses, after_.near_misses,
                     [this](const reports::NearMiss& miss, const reports::NearMiss& other) {
                       if (miss.verdict == Verdict::refuted && other.verdict && other.verdict != Verdict::refuted)
                         changes_.push_back({before_.id, fmt::format("near-miss, {}", miss.name), "refuted",
                                             std::string(name(*other.verdict)), true});
                     });
  }

 private:
  void add(const std::string& what, const std::string& before, const std::string& after) {
    changes_.push_back({before_.id, what, before, after});
  }

  void evidence(const std::string& what, const Evidence& before, const Evidence& after) {
    if (before.interval && after.interval &&
        (before.interval->upper < after.interval->lower || after.interval->upper < before.interval->lower))
      add(what, estimate_of(before), estimate_of(after));
    if (before.bound && after.bound && *before.bound != *after.bound)
      add(what + ", bound", fmt::format("{:.6g}", *before.bound), fmt::format("{:.6g}", *after.bound));
  }

  const Claim &before_, &after_;
  std::vector<Change>& changes_;
};

/// Long texts from a little before the first place on at which they differ, so that the difference is seen.
std::pair<std::string, std::string> from_the_difference(const std::string& before, const std::string& after) {
  constexpr std::size_t context = 16;
  std::size_t from = static_cast<std::size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
  if (from <= 2 * context) return {before, after};
  from -= context;
  // Both are the same up to here: no character is cut in one of them alone.
  while (from > 0 && (static_cast<unsigned char>(before[from]) & 0xC0U) == 0x80U) --from;
  return {"…" + before.substr(from), "…" + after.substr(from)};
}

}  // namespace

std::vector<Change> changes(const nlohmann::ordered_json& before, std::string_view before_source,
                            const nlohmann::ordered_json& after, std::string_view after_source) {
  const reports::Results old_results = reports::results_from_json(before, before_source),
                         new_results = reports::results_from_json(after, after_source);
  auto old_findings = findings({before, before_source}), new_findings = findings({after, after_source});
  std::vector<Change> all;
  for (const Claim& claim : old_results.claims) {
    const Claim* now = find_claim(new_results, claim.id);
    if (now == nullptr) {
      all.push_back({claim.id, "removed", std::string(name(claim.verdict)), "not in the record"});
      continue;
    }
    Comparison comparison(claim, *now, all);
    comparison.texts(old_findings[claim.id], new_findings[claim.id]);
    comparison.evidence();
    comparison.near_misses();
  }
  for (const Claim& claim : new_results.claims)
    if (find_claim(old_results, claim.id) == nullptr)
      all.push_back({claim.id, "added", "not in the record", std::string(name(claim.verdict))});
  return all;
}

StoredRecord read_record(const std::filesystem::path& place) {
  const bool directory = std::filesystem::is_directory(place);
  const std::filesystem::path file = directory ? place / "results.json" : place;
  if (directory && !std::filesystem::exists(file))
    throw std::invalid_argument(
        fmt::format("{} holds no results.json: name the folder or record of an attest check", place.string()));
  StoredRecord record{*reports::parse_json_file(file), file.string()};
  reports::results_from_json(record.document, record.source);  // refuses what is not a record
  return record;
}

bool print_changes(const StoredRecord& before, const StoredRecord& after, Records which,
                   const std::filesystem::path& json) {
  std::vector<Change> found = changes(before.document, before.source, after.document, after.source);
  // A run of a few statements does not remove the others.
  if (which == Records::of_the_later) std::erase_if(found, [](const Change& one) { return one.what == "removed"; });
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::size_t worse = 0;
  constexpr std::size_t widest = 60;
  std::vector<std::vector<std::string>> rows = {{"statement", "what", "before", "after", ""}};
  for (const Change& one : found) {
    worse += one.worse ? 1 : 0;
    const auto [old_text, new_text] = from_the_difference(one.before, one.after);
    rows.push_back({one.id, one.what, reports::cut_to(old_text, widest), reports::cut_to(new_text, widest),
                    one.worse ? "worse" : ""});
    list.push_back(
        {{"id", one.id}, {"what", one.what}, {"before", one.before}, {"after", one.after}, {"worse", one.worse}});
  }
  if (found.empty()) {
    fmt::print("nothing changed from {} to {}\n", before.source, after.source);
  } else {
    fmt::print("from {} to {}\n", before.source, after.source);
    print_table(rows);
    fmt::print("\n{}, {} for the worse\n", reports::counted(std::ssize(found), "change"),
               reports::readable_count(static_cast<double>(worse)));
  }
  if (!json.empty()) {
    const nlohmann::ordered_json document = {{"schema", "attest-changes-1"},
                                             {"before", before.source},
                                             {"after", after.source},
                                             {"worse", worse},
                                             {"changes", std::move(list)}};
    reports::write_file_atomically(json, document.dump(1) + "\n");
  }
  return worse > 0;
}

}  // namespace attest::commands
