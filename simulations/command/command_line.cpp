#include "simulations/command/command_line.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"
#include "simulations/command/usage.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/judge/target/library_target.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/freed_memory.hpp"
#include "simulations/terminal/run_program.hpp"

namespace attest::commands {
namespace {

/// `attest judge-library FILE` is how the judge starts itself for a library's calls; it is nobody's verb.
bool serves_library(int argc, char** argv) {
  constexpr int words = 3;
  return argc == words && std::string_view(argv[1]) == "judge-library";
}

/// CLI11 answers an unknown verb with "a subcommand is required", which does not name it.
void require_known_verb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || *argv[1] == '-') return;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  if (std::find(verbs.begin(), verbs.end(), argv[1]) == verbs.end())
    throw std::invalid_argument(
        fmt::format("unknown verb '{}'{}", argv[1],
                    names::did_you_mean(verbs, argv[1], fmt::format("the verbs are {}", fmt::join(verbs, ", ")))));
}

/// "attest help VERB" is typed as often as "attest VERB --help", and "attest version" as "attest --version".
std::vector<char*> with_words_as_options(int argc, char** argv) {
  static std::string help = "--help", version = "--version";
  std::vector<char*> words(argv, argv + argc);
  if (argc < 2) return words;
  if (argc == 2 && std::string_view(argv[1]) == "version") words[1] = version.data();
  if (std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.push_back(help.data());
  }
  return words;
}

int parse_and_run(CLI::App& app, const Chosen& chosen, int argc, char** argv) {
  return terminal::run_program(app, [&] {
    if (!app.get_subcommands([](const CLI::App*) { return true; }).empty()) require_known_verb(app, argc, argv);
    refuse_what_is_no_number(app);
    parse(app, argc, argv);
    return chosen();
  });
}

}  // namespace

int run_attest(int argc, char** argv) {
  terminal::keep_freed_memory();
  if (serves_library(argc, argv)) return judge::serve_library(argv[2]);
  CLI::App app("A numerical referee for the theory of attention.", "attest");
  app.set_version_flag("--version", terminal::version);
  app.require_subcommand(1);
  app.footer(
      "attest SUBCOMMAND --help shows what one takes. To begin with:\n"
      "  attest check --budget quick                    every statement, and the report out/report.html\n"
      "  attest try 'forall x in R: x^2 >= 0'           a statement of your own\n"
      "  attest list, attest explain boosting/eq-a.12   what is judged, one statement in full");
  Chosen chosen;
  for (const Verb& verb : all_verbs()) verb.add(*app.add_subcommand(verb.name, verb.about), chosen);
  std::vector<char*> words = with_words_as_options(argc, argv);
  return parse_and_run(app, chosen, static_cast<int>(words.size()), words.data());
}

int run_family(const std::string& family, int argc, char** argv) {
  terminal::keep_freed_memory();
  CLI::App app("Judges the statements of the family " + family + ".", "check_" + family);
  Chosen chosen;
  add_check(app, chosen, family.c_str());
  return parse_and_run(app, chosen, argc, argv);
}

}  // namespace attest::commands
