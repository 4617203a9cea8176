// Records that a user keeps or another program writes: what reports, compare, replay and judge read again.
#include <cstring>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "kernels/files/whole_file.hpp"
#include "reports/pages/sweep_report.hpp"
#include "reports/pages/training_report.hpp"
#include "simulations/command/evidence/replay_evidence.hpp"
#include "simulations/command/record/record_changes.hpp"
#include "simulations/data/images/image_folder.hpp"
#include "simulations/judge/case/case_spec.hpp"
#include "simulations/judge/target/message.hpp"
#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/target.hpp"
#include "theorems/engine/witness_file.hpp"

namespace attest::fuzz {
namespace {

namespace fs = std::filesystem;

std::string test_data(const char* name) { return files::read_whole(fs::path(ATTEST_SOURCE) / "tests/data" / name); }

/// A page without figures drawn: neither gnuplot nor KaTeX is what reads.
void make_report(std::string_view bytes, const std::string& name,
                 reports::WrittenReport (*write)(const fs::path&, const reports::ReportTools&)) {
  const fs::path folder = fs::path(written(bytes, name)).parent_path();
  write(folder, {"no-such-gnuplot", {folder}});
}

/// The length of the header, the header, the arrays: as the judge takes them from the process of an implementation.
void read_answer(std::string_view bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) return;
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (length > bytes.size()) return;
  const auto header = nlohmann::json::parse(bytes.substr(0, length), nullptr, false);
  if (header.is_discarded()) return;
  judge::payload_bytes(header);
  judge::answer_from(header, bytes.substr(length));
}

std::string small_answer() {
  judge::Answer answer;
  arrays::Array out{arrays::ElementType::float32, {1, 1, 2, 2}, std::string(16, '\x3f')};
  answer.arrays["out"] = out;
  answer.unusable["lse"] = "a list";
  answer.changed = {"q"};
  return judge::message_of(answer);
}

void read_case(std::string_view bytes) {
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  if (!json.is_discarded()) judge::text_of(judge::case_from_json(json));
}

void read_evidence(std::string_view bytes) {
  const auto document = engine::read_witness_json(written(bytes, "evidence.json"));
  if (!commands::is_evidence(document)) return;
  commands::witness_of_evidence(document, "evidence.json");
  commands::check_of_evidence(document, "evidence.json");
}

void compare_records(std::string_view bytes) {
  static const commands::StoredRecord before =
      commands::read_record(written(test_data("results_example.json"), "before/results.json"));
  const commands::StoredRecord after = commands::read_record(written(bytes, "after/results.json"));
  commands::changes(before.document, before.source, after.document, after.source);
}

/// The images that the tables below name.
void write_images() {
  for (const Target& each : data_targets())
    for (const char* number : {"0", "1"})
      if (each.name == "png") written(each.seeds.front(), std::string("pathfinder/imgs/0/sample_") + number + ".png");
}

void read_pathfinder(std::string_view bytes) {
  static const bool there = (write_images(), true);
  static_cast<void>(there);
  const fs::path table = written(bytes, "pathfinder/metadata/0.npy");
  data::read_pathfinder_folder(table.parent_path().parent_path());
}

}  // namespace

std::vector<Target> record_targets() {
  return {
      {"sweep-report",
       {test_data("points_example.json")},
       [](std::string_view b) { make_report(b, "points/points.json", reports::write_sweep_report); }},
      {"training-report",
       {test_data("summary_example.json")},
       [](std::string_view b) { make_report(b, "summary/summary.json", reports::write_training_report); }},
      {"records", records_of_one_claim(test_data("results_example.json")), compare_records},
      {"evidence",
       {R"({"schema": "attest-evidence-1", "kind": "witness", "method": "point", "id": "try/0123456789ab",
            "statement": "forall n in 2..8, x in R^n: norm(x) <= 0", "choices": {"n": "2"},
            "inputs": [{"name": "x", "raw": ["1", "-22/7"]}]})",
        R"({"schema": "attest-evidence-1", "kind": "witness", "method": "point", "id": "a/b.2", "part": "second",
            "statement": "forall p in {1, 2, inf}: random s ~ rademacher()^3: E[norm(s, p)] <= 0",
            "choices": {"p": "inf"}, "inputs": []})",
        // Sizes that no statement allows and no file holds the numbers of: memory is not made for them.
        R"({"schema": "attest-evidence-1", "kind": "witness", "method": "point", "id": "try/0123456789ab",
            "statement": "forall n in 2..8, x in R^n: norm(x) <= 0", "choices": {"n": "9223370"},
            "inputs": [{"name": "x", "raw": ["1", "-22/7"]}]})",
        R"({"schema": "attest-evidence-1", "kind": "witness", "method": "point", "id": "a/b",
            "statement": "forall n in 2..8: random s ~ rademacher()^n: E[norm(s)] <= 0",
            "choices": {"n": "9223370"}, "inputs": []})"},
       read_evidence},
      {"judge-case",
       {R"({"property": "values", "dtype": "float32", "heads": 4, "kv_heads": 2, "queries": 9, "keys": 13, "width": 8,
            "causal": true, "window": [3, 0], "mask": "bool NN", "packed": [4, 5], "gradient": true})",
        R"({"mechanism": "linear", "queries": 5, "keys": 5, "padding": 1, "settings": {"causal": "true"}})"},
       read_case},
      {"judge-answer", {small_answer()}, read_answer},
      {"pathfinder", {"imgs/0 sample_0.png 0 1 1.5\nimgs/0 sample_1.png 1 0 1.5\n"}, read_pathfinder},
  };
}

}  // namespace attest::fuzz
