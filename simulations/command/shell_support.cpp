#include "simulations/command/shell_support.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attest::commands {
namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> long_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs_of(app)) names.push_back(verb->get_name());
  return names;
}

/// What may follow the verb: its own verbs and options.
std::string words_after(const CLI::App& verb) {
  std::vector<std::string> words = verb_names(verb);
  for (std::string& option : long_options(verb)) words.push_back(std::move(option));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string bash_script(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* verb : verbs_of(app))
    cases += fmt::format("    {}) words='{}' ;;\n", verb->get_name(), words_after(*verb));
  return fmt::format(
      "# Completion of {0} for bash.\n_{0}() {{\n  local words current=${{COMP_WORDS[COMP_CWORD]}}\n"
      "  case ${{COMP_CWORD}} in 1) words='{1}' ;; *) case ${{COMP_WORDS[1]}} in\n{2}    *) words= ;;\n  esac ;; esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n}}\n"
      "complete -o default -F _{0} {0}\n",
      app.get_name(), words_after(app), cases);
}

std::string zsh_script(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* verb : verbs_of(app))
    cases += fmt::format("    {}) compadd -- {} ;;\n", verb->get_name(), words_after(*verb));
  return fmt::format(
      "#compdef {0}\n# Completion of {0} for zsh.\n_{0}() {{\n  if (( CURRENT == 2 )); then\n    compadd -- {1}\n"
      "    return\n  fi\n  case $words[2] in\n{2}  esac\n  _files\n}}\n_{0} \"$@\"\n",
      app.get_name(), words_after(app), cases);
}

/// In single quotes for fish: only these two characters mean anything there.
std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted + "'";
}

std::string fish_script(const CLI::App& app) {
  std::string script = fmt::format("# Completion of {} for fish.\n", app.get_name());
  for (const CLI::App* verb : verbs_of(app)) {
    script += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", app.get_name(), verb->get_name(),
                          fish_quoted(verb->get_description()));
    const std::string seen =
        fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", app.get_name(), verb->get_name());
    for (const CLI::Option* option : verb->get_options())
      for (const std::string& name : option->get_lnames())
        script += fmt::format("{} -l {} -d {}\n", seen, name, fish_quoted(option->get_description()));
    for (const std::string& name : verb_names(*verb)) script += fmt::format("{} -a {}\n", seen, name);
  }
  return script;
}

/// Text for roff: backslashes and hyphens spelled out, and no line that begins with what would be a request.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
      result += "\\&";
      result += c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string options_in_manual(const CLI::App& verb) {
  std::string page;
  for (const CLI::Option* option : verb.get_options()) {
    const bool flag = option->get_items_expected_max() == 0;
    const std::string value = flag || option->get_positional() ? "" : " \\fI" + roff(option->get_type_name()) + "\\fR";
    const std::string standard =
        option->get_default_str().empty() ? "" : " Default: " + option->get_default_str() + ".";
    page += fmt::format(".TP\n\\fB{}\\fR{}\n{}.{}\n", roff(option->get_name()), value, roff(option->get_description()),
                        roff(standard));
  }
  return page;
}

std::string verb_in_manual(const CLI::App& verb, const std::string& before) {
  const std::string name = before + " " + verb.get_name();
  std::string page =
      fmt::format(".SS \"{}\"\n{}.\n{}", roff(name), roff(verb.get_description()), options_in_manual(verb));
  if (!verb.get_footer().empty()) page += ".PP\n" + roff(verb.get_footer()) + "\n";
  for (const CLI::App* inner : verbs_of(verb)) page += verb_in_manual(*inner, name);
  return page;
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash_script(app);
  if (shell == "zsh") return zsh_script(app);
  if (shell == "fish") return fish_script(app);
  throw std::invalid_argument(fmt::format("completion for {}: use bash, zsh or fish", shell));
}

std::string manual_page(const CLI::App& app, const std::string& of_version) {
  std::string capitals = app.get_name();
  for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string page = fmt::format(
      ".TH {0} 1 \"\" \"{1} {2}\" \"User Commands\"\n.SH NAME\n{1} \\- {3}\n.SH SYNOPSIS\n.B {1}\n.I verb\n"
      ".RI [ options ]\n.SH VERBS\n",
      capitals, roff(app.get_name()), roff(of_version), roff(app.get_description()));
  for (const CLI::App* verb : verbs_of(app)) page += verb_in_manual(*verb, app.get_name());
  return page;
}

}  // namespace attest::commands
