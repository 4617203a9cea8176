#include "simulations/command/output_files.hpp"

#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

namespace attest::commands {
namespace {

namespace fs = std::filesystem;

bool is_regular(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored);
}

bool is_output(const CLI::Option& option) {
  return option.get_type_name() == output_file_type || option.get_type_name() == output_figure_type;
}

/// The files that the option writes.
std::vector<fs::path> outputs_of(const CLI::Option& option) {
  std::vector<fs::path> files;
  for (const std::string& word : option.results()) {
    if (option.get_type_name() == output_file_type)
      files.emplace_back(word);
    else
      for (const char* ending : figure_endings) files.push_back(without_figure_ending(word) += ending);
  }
  return files;
}

/// The files that a word of the command line may name: itself, or a part of python:FILE:FUNCTION and the like.
std::vector<fs::path> files_of(const std::string& word) {
  std::vector<fs::path> files;
  if (is_regular(word)) files.emplace_back(word);
  std::istringstream parts(word);
  for (std::string part; std::getline(parts, part, ':');)
    if (part != word && is_regular(part)) files.emplace_back(part);
  return files;
}

void refuse_to_overwrite_inputs(const CLI::App& verb, const fs::path& output, const std::string& option_name) {
  if (!is_regular(output)) return;
  for (const CLI::Option* option : verb.get_options()) {
    if (is_output(*option)) continue;
    for (const std::string& word : option->results())
      for (const fs::path& input : files_of(word))
        if (std::error_code ignored; fs::equivalent(input, output, ignored))
          throw std::invalid_argument(
              fmt::format("{} would overwrite {}, which is read: name another file", option_name, input.string()));
  }
}

}  // namespace

fs::path without_figure_ending(const fs::path& named) {
  for (const char* ending : figure_endings)
    if (named.extension() == ending) return fs::path(named).replace_extension();
  return named;
}

std::string names_no_folder(const std::string& file) {
  std::error_code ignored;
  if (file.empty()) return "the name of a file is empty; name a file";
  if (file.ends_with('/') || fs::is_directory(file, ignored))
    return fmt::format("{} names a folder; name a file", file);
  return {};
}

std::string is_file_to_write(const std::string& file) {
  if (std::string refusal = names_no_folder(file); !refusal.empty()) return refusal;
  std::error_code ignored;
  const fs::path folder = fs::path(file).parent_path();
  if (folder.empty() || fs::is_directory(folder, ignored)) return {};
  return fs::exists(folder, ignored)
             ? fmt::format("{}: {} is not a folder; name another", file, folder.string())
             : fmt::format("{}: the folder {} does not exist; create it or name another", file, folder.string());
}

std::string names_no_file(const std::string& folder) {
  std::error_code ignored;
  if (folder.empty()) return "the name of a folder is empty; name a folder";
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
    return fmt::format("{} is not a folder; name another, which is made where it is not there", folder);
  return {};
}

void refuse_lost_files(const CLI::App& verb) {
  std::map<fs::path, std::string> taken;
  for (const CLI::Option* option : verb.get_options()) {
    if (!is_output(*option) || option->count() == 0) continue;
    for (const fs::path& file : outputs_of(*option)) {
      std::error_code ignored;
      if (file.empty() || fs::is_other(fs::status(file, ignored))) continue;  // printed, or a device that takes both
      const auto [place, is_new] = taken.emplace(fs::absolute(file).lexically_normal(), option->get_name());
      if (!is_new)
        throw std::invalid_argument(
            fmt::format("{} and {} both name {}: name two files", place->second, option->get_name(), file.string()));
      refuse_to_overwrite_inputs(verb, file, option->get_name());
    }
  }
}

void require_new(const fs::path& file) {
  if (fs::exists(file))
    throw std::invalid_argument(fmt::format("{}: the file exists already; name another, or remove it", file.string()));
}

}  // namespace attest::commands
