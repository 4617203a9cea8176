// What a verb may write to: asked of the command line, before anything is computed for it.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

namespace attest::commands {

/// The word that --help shows for what a file is written to, by which `refuse_lost_files` and tests find these
/// options.
inline constexpr const char* output_file_type = "FILE";
/// The same of folders that are made where they are not there.
inline constexpr const char* output_folder_type = "DIR";
/// The same of a figure, of which files with `figure_endings` are written.
inline constexpr const char* output_figure_type = "FIGURE";
inline constexpr std::array figure_endings = {".svg", ".pdf", ".tex", ".csv"};

/// The name of a figure's files without their endings: `named` itself, or without one of these.
std::filesystem::path without_figure_ending(const std::filesystem::path& named);

/// A validator: empty where a file of that name can be written, else a sentence. A folder is none, and neither is what
/// stands in a folder that is not there: a misspelt path would be made in silence.
std::string is_file_to_write(const std::string& file);

/// The same where the folder is made with the file, since it is meant to hold several.
std::string names_no_folder(const std::string& file);

/// A validator of options that name a folder to write: a file is none.
std::string names_no_file(const std::string& folder);

/// Gives the parser an option that names a file to write; "-" is standard output.
template <typename File>
CLI::Option* add_output_file(CLI::App& verb, const char* name, File& file, const char* about,
                             std::string (*check)(const std::string&) = is_file_to_write) {
  const auto standard_output = [](std::string& given) {
    if (given == "-") given = "/dev/stdout";
    return std::string();
  };
  return verb.add_option(name, file, about)
      ->type_name(output_file_type)
      ->check(check)
      ->transform(CLI::Validator(standard_output, ""));
}

/// Gives the parser an option that names a folder to write to.
template <typename Folder>
CLI::Option* add_output_folder(CLI::App& verb, const char* name, Folder& folder, const char* about) {
  return verb.add_option(name, folder, about)->type_name(output_folder_type)->check(names_no_file);
}

/// Refuses what would lose a file: two options of the chosen verb that name one file to write, and a file to write, of
/// a figure too, that another word of the command line names, since it may be read. Errors: std::invalid_argument.
void refuse_lost_files(const CLI::App& verb);

/// For what is written to begin with, and changed by its reader: never over a file that is there.
/// Errors: std::invalid_argument.
void require_new(const std::filesystem::path& file);

}  // namespace attest::commands
