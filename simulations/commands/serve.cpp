// attest serve: statements judged as JSON lines.
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/names/plain_reason.hpp"
#include "simulations/command/common_options.hpp"
#include "simulations/command/statements/judged_text.hpp"
#include "simulations/command/statements/judging_options.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/interrupt.hpp"

namespace attest::commands::definitions {
namespace {

struct ServeOptions {
  std::string budget = "standard";  ///< unless a request names its own
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

using nlohmann::ordered_json;

ordered_json failure(const ordered_json& id, int code, const std::string& sentence) {
  return {{"id", id}, {"exit", code}, {"error", sentence}};
}

/// `standard` where the request names nothing else.
referee::JudgeOptions options_of(const ordered_json& request, const referee::JudgeOptions& standard) {
  referee::JudgeOptions judging = standard;
  if (request.contains("budget")) judging.budget = engine::parse_budget(request["budget"].get<std::string>());
  if (request.contains("seed") && !request["seed"].is_number_unsigned())
    throw std::invalid_argument("seed: a whole number from 0 to 18446744073709551615");
  judging.seed = request.value("seed", standard.seed);
  judging.threads = request.value("threads", standard.threads);
  judging.near_misses = request.value("near_misses", standard.near_misses);
  return judging;
}

ordered_json answer(const std::string& line, const referee::JudgeOptions& standard) {
  ordered_json id = nullptr;
  try {
    const ordered_json request = ordered_json::parse(line);
    if (!request.is_object())
      throw std::invalid_argument("a request is an object: {\"id\": 1, \"statement\": \"...\"}");
    id = request.value("id", ordered_json(nullptr));
    if (!request.contains("statement") || !request["statement"].is_string())
      throw std::invalid_argument("a request needs the key \"statement\", a string");
    const referee::Outcome outcome =
        judge_text(request["statement"].get<std::string>(), options_of(request, standard), "");
    ordered_json document{{"id", id}, {"exit", exit_of(outcome)}};
    document.update(referee::to_json(outcome));
    return document;
  } catch (const engine::Interrupted&) {
    throw;
  } catch (const ordered_json::exception& broken) {
    return failure(id, terminal::exit_usage,
                   fmt::format("the line is not a JSON request: {}", names::plain_reason(broken.what())));
  } catch (const std::invalid_argument& problem) {
    return failure(id, terminal::exit_usage, problem.what());
  } catch (const std::exception& problem) {
    return failure(id, terminal::exit_io_or_device, problem.what());
  }
}

/// Reads one JSON object per line from standard input, {"id": ..., "statement": "...", "budget": "quick", "seed": 1},
/// and answers each with one line in order: {"id": ..., "exit": 0, ...} as `attest try --json`, or {"id": ..., "exit":
/// 2, "error": "..."} where it cannot be read. A line that is not such an object is answered, never fatal. Returns 0 at
/// the end of the input, 130 where it was interrupted.
int serve(const ServeOptions& options) {
  const referee::JudgeOptions standard = judging_options(options.budget, options.seed, options.threads);
  try {
    for (std::string line; std::getline(std::cin, line);) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      // A statement may quote any bytes: what is not UTF-8 is replaced rather than failing the answer.
      fmt::print("{}\n", answer(line, standard).dump(-1, ' ', false, ordered_json::error_handler_t::replace));
      std::fflush(stdout);
    }
  } catch (const engine::Interrupted&) {
    return terminal::exit_interrupted;
  }
  return terminal::interrupt_flag() ? terminal::exit_interrupted : terminal::exit_success;
}

void add_serve(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<ServeOptions>(verb, chosen, serve);
  add_budget(verb, o.budget, "for requests that name none: quick, standard, deep or seconds");
  add_seed(verb, o.seed, "for requests that name none");
  add_threads(verb, o.threads);
  verb.footer(
      "One request per line on standard input, {\"id\": 1, \"statement\": \"forall x in R: x^2 >= 0\"}; one answer per "
      "line, "
      "in the same order, with the keys of attest try --json, \"id\" and \"exit\"; \"error\" where it cannot be "
      "read.");
}

}  // namespace

Verb serve_verb() { return {"serve", "judge statements as JSON lines", add_serve}; }

}  // namespace attest::commands::definitions
