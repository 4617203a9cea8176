#include "simulations/command/usage.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"
#include "simulations/command/output_files.hpp"
#include "simulations/data/files/malformed_data.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::commands {
namespace {

std::vector<CLI::App*> verbs_of(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

/// "attest data fetch": the verbs that the command line chose, from the program's name on.
std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return (parent == nullptr ? "" : full_name(*parent) + " ") + app.get_name();
}

CLI::App& chosen_verb(CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_verb(*chosen.back());
}

/// The verb that the words lead to, as far as they are known: a parse that failed early has chosen none.
CLI::App& verb_by_words(CLI::App& app, int argc, char** argv) {
  CLI::App* verb = &app;
  for (int i = 1; i < argc && *argv[i] != '-'; ++i) {
    const std::vector<CLI::App*> verbs = verbs_of(*verb);
    const auto next =
        std::find_if(verbs.begin(), verbs.end(), [&](const CLI::App* each) { return each->get_name() == argv[i]; });
    if (next == verbs.end()) break;
    verb = *next;
  }
  return *verb;
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

const CLI::Option* option_named(const CLI::App& verb, const std::string& name) {
  for (const CLI::Option* option : verb.get_options())
    if (option->get_name() == name || option->get_name(true) == name) return option;
  return nullptr;
}

std::string unknown_word(const CLI::App& verb, const std::string& word) {
  if (word.empty() || word[0] != '-') {
    const std::vector<const CLI::Option*> places =
        verb.get_options([](const CLI::Option* option) { return option->get_positional(); });
    const bool is_statement = !places.empty() && places.front()->get_name() == "statement";
    return fmt::format("'{}' is one word too many{}", word, is_statement ? ": put the statement in quotes" : "");
  }
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("unknown option {}{}", name, names::did_you_mean(option_names(verb), name));
}

/// What is wrong, without the program's name.
std::string complaint(const CLI::ParseError& failure, CLI::App& app, int argc, char** argv) {
  CLI::App& verb = verb_by_words(app, argc, argv);
  std::string what = failure.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&failure) != nullptr || !verbs_of(verb).empty()) {
    std::vector<std::string> words = chosen_verb(app).remaining(true);
    if (words.empty()) words = app.remaining(true);
    if (words.empty())
      for (int i = 1; i < argc; ++i)
        if (*argv[i] == '-') words.emplace_back(argv[i]);
    if (!words.empty()) return unknown_word(verb, words.front());
  }
  constexpr std::string_view required = " is required";
  if (dynamic_cast<const CLI::RequiredError*>(&failure) != nullptr && what.ends_with(required)) {
    const std::string name = what.substr(0, what.size() - required.size());
    const CLI::Option* option = option_named(verb, name);
    if (option != nullptr) return fmt::format("{} is missing: {}", name, option->get_description());
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&failure) != nullptr) {
    const std::string name = what.substr(0, what.find(':'));
    const auto given = std::count_if(argv, argv + argc, [&](const char* word) {
      return std::string_view(word) == name || std::string_view(word).starts_with(name + "=");
    });
    if (given > 1) return fmt::format("{} is given {} times: give it once", name, given);
    if (given == 1) return fmt::format("{} needs a value", name);
    // "inputs: At Most 2 required but received 3", of words without an option before them.
    unsigned most = 0, received = 0;
    if (std::sscanf(what.c_str() + std::min(name.size() + 1, what.size()), " At Most %u required but received %u",
                    &most, &received) == 2)
      return fmt::format("{} takes at most {}, and {} are given", name, most, received);
  }
  return what;
}

/// Names stand in records, which are UTF-8: a word that is not is refused before anything is computed.
void refuse_what_is_not_text(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    try {
      if (!word.empty()) data::check_text(word, "");
    } catch (const data::MalformedData&) {
      std::ranges::replace_if(
          word, [](unsigned char c) { return c >= 0x80 || c < 0x20; }, '?');
      throw std::invalid_argument(
          fmt::format("'{}' is not UTF-8 text: rename the file, or write the text in UTF-8", word));
    }
  }
}

}  // namespace

void refuse_what_is_no_number(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_type_name() != "UINT") continue;
    option->check(CLI::Validator(
        [](const std::string& word) {
          if (word.empty() || word.find_first_not_of("0123456789") != std::string::npos)
            return fmt::format("'{}' is not a whole number from 0 on", word);
          std::uint64_t value = 0;
          const bool fits = std::from_chars(word.data(), word.data() + word.size(), value).ec == std::errc();
          constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
          return fits ? std::string() : fmt::format("'{}' is too large: give a whole number up to {}", word, most);
        },
        ""));
  }
  for (CLI::App* verb : verbs_of(app)) refuse_what_is_no_number(*verb);
}

void parse(CLI::App& app, int argc, char** argv) {
  refuse_what_is_not_text(argc, argv);
  try {
    app.parse(argc, argv);
    refuse_lost_files(chosen_verb(app));
  } catch (const CLI::Success&) {
    throw;
  } catch (const CLI::ParseError& failure) {
    const std::string what = complaint(failure, app, argc, argv);
    throw std::invalid_argument(fmt::format("{}{} {} --help shows the usage", what, what.ends_with('?') ? "" : ";",
                                            full_name(verb_by_words(app, argc, argv))));
  }
}

}  // namespace attest::commands
