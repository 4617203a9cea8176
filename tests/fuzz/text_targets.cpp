#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "kernels/files/whole_file.hpp"
#include "reports/figures/data_extremes.hpp"
#include "reports/figures/figure_files.hpp"
#include "reports/figures/gnuplot_script.hpp"
#include "reports/files/json_place.hpp"
#include "reports/html/page.hpp"
#include "reports/record/csv.hpp"
#include "reports/record/results.hpp"
#include "simulations/experiment/awaiting.hpp"
#include "simulations/experiment/read_experiment.hpp"
#include "simulations/outcomes/losses_table.hpp"
#include "simulations/outcomes/shipped_result.hpp"
#include "simulations/sweeping/spec.hpp"
#include "tests/fuzz/resealed.hpp"
#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/support/scratch_folder.hpp"
#include "theorems/engine/runner/trained_runs.hpp"
#include "theorems/engine/witness_file.hpp"
#include "theorems/language/papers/draft.hpp"
#include "theorems/language/papers/paper_file.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/known_truths/known_truths.hpp"

namespace attest::fuzz {
namespace {

namespace fs = std::filesystem;
const fs::path source = ATTEST_SOURCE;

void read_statement(std::string_view text) {
  const language::Statement statement = language::read_statement(text);
  if (!language::same(statement, language::read_statement(language::normal_form(statement))))
    throw std::logic_error("the normal form reads as another statement");
  if (language::tex(statement).empty()) throw std::logic_error("no formula");
}

void read_tex(std::string_view text) {
  static const language::PaperFile paper =
      language::read_paper(files::read_whole(source / "tests/data/note.attest"), "note.attest");
  language::drift_between(text, paper);
  // As a user completes it: a statement where the draft asks for one.
  constexpr std::string_view wanted = "  # says forall ...: ... <= ...";
  std::string draft = language::draft_of(text);
  for (std::size_t at = 0; (at = draft.find(wanted, at)) != std::string::npos;)
    draft.replace(at, wanted.size(), "  says 1 = 1");
  language::read_paper(draft, "draft.attest");
}

/// A record, and everything that is made of it but the drawing by gnuplot.
void read_results(std::string_view text) {
  const auto document = reports::parse_json_file(written(text, "text.json"));
  const reports::Results results = reports::results_from_json(*document, "results.json");
  reports::claims_csv(results);
  reports::html::pages(results, {}, {});
  for (const reports::Measurement& measurement : results.measurements)
    for (const reports::Figure& figure : measurement.figures) {
      reports::figure_csv(figure);
      if (!reports::has_drawable_points(figure)) continue;
      reports::figure_tikz(figure, {});
      reports::gnuplot_script(figure, {}, "a.svg", "a.pdf");
    }
}

/// Results that ship, of each kind that a reader tells apart: one comparison, the table of skills.
std::vector<std::string> shipped_results() {
  std::vector<std::string> texts;
  for (const char* name : {"text.json", "skills.json"})
    texts.push_back(with_json_digest(with_short_lists(files::read_whole(source / "simulations/results" / name), 2)));
  return texts;
}

}  // namespace

std::vector<Target> text_targets() {
  const std::string record = files::read_whole(source / "tests/data/results_example.json");
  return {
      {"statement",
       {"forall n in 2..64, p in {1, 2, inf}, x, y in R^n: norm(softmax(x) - softmax(y), p) <= 1/2*norm(x - y, p)",
        "let a = L + 1 - t: forall L in [1, 4], t in [0, 0.9], n in 1..30: K(n) = (L*a^n - t)/(L - t) where K(0) = 1, "
        "K(l+1) = a*K(l) + t",
        "random g ~ normal(0, 1): P[abs(g) > 2] <= 0.05", "limit n -> inf: (1 + 1/n)^n = e",
        "forall n in 2..16, d in 1..8, q, k, v in R^(n, d): max(attention(\"twicing\", q, k, v)) <= max(v)"},
       read_statement},
      {"paper", papers_of_one_claim(source / "theorems/boosting", 12),
       [](std::string_view text) { language::read_paper(text, "fuzzed.attest", std::nullopt); }},
      {"tex", {files::read_whole(source / "tests/data/note.tex")}, read_tex},
      {"sweep", contents(source / "simulations/sweeps", ".toml", 30),
       [](std::string_view text) { sweeps::read_spec(text, "fuzzed.toml", "fuzzed"); }},
      {"experiment", contents(source / "simulations/experiments/quick", ".toml", 30),
       [](std::string_view text) { experiment::parse_experiment(text, "fuzzed.toml", {}); }},
      {"losses",
       {"variant,seed,loss\nsoftmax,1,2.5\ntwicing,1,2.4\nsoftmax,2,2.6\ntwicing,2,2.5\n",
        "variant,seed,loss,accuracy\n\"a, b\",1,2.5,0.5\nc,1,1e-3,1\n"},
       [](std::string_view text) {
         const auto metrics = outcomes::metrics_of_losses(text, "fuzzed.csv");
         outcomes::read_losses(text, "fuzzed.csv", metrics);
       }},
      {"results", records_of_one_claim(record), read_results},
      {"shipped", shipped_results(),
       [](std::string_view text) { outcomes::parse_shipped(std::string(text), "fuzzed.json"); }, with_json_digest},
      {"trained-runs", shipped_results(),
       [](std::string_view text) { engine::parse_trained_runs(std::string(text), "fuzzed.json"); }, with_json_digest},
      {"awaiting",
       {files::read_whole(source / "simulations/experiments/awaiting.toml")},
       [](std::string_view text) { experiment::parse_awaiting(text, "fuzzed.toml"); }},
      {"truths",
       {first_lines(files::read_whole(source / "theorems/referee/known_truths/known_truths.tsv"), 2000)},
       [](std::string_view text) { referee::read_known_truths(text, "fuzzed.tsv"); }},
      {"witness",
       {R"({"claim": "a/b", "variant": "printed", "part": "", "kind": "deterministic", "inputs": {"x": ["0x1.8p+1", "-0x1p-3"]},
            "values": {}, "relation": "<=", "lhs": "1", "rhs": "0", "margin": "1", "precision_bits": 128})",
        R"({"claim": "a/b", "variant": "printed", "part": "p", "kind": "stochastic", "inputs": {"n": ["0x1p+3"]},
            "relation": "<=", "seed": 7, "effort": 16, "alpha": 1e-9})"},
       [](std::string_view text) {
         engine::witness_from_json(engine::read_witness_json(written(text, "text.json")), "fuzzed.json");
       }},
  };
}

}  // namespace attest::fuzz
