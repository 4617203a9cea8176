#include "simulations/data/text/kjv.hpp"

#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <fmt/core.h>
#include <unistd.h>

#include "simulations/data/text/text.hpp"

namespace attest::data {
namespace {

constexpr const char* data_folder = "/usr/lib";  // where bible-kjv-text installs bible.data
constexpr std::size_t verses_in_kjv = 31102;     // 23,145 of the Old Testament and 7,957 of the New
constexpr const char* fix = "install the Debian packages bible-kjv and bible-kjv-text";

bool is_reference(std::string_view word) {
  std::size_t i = 0;
  const auto skip = [&](auto accepts) {
    const std::size_t start = i;
    while (i < word.size() && accepts(static_cast<unsigned char>(word[i]))) ++i;
    return i - start;
  };
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  skip(digit);  // the number of a book that has several, as in 1Sm
  if (skip(letter) == 0 || skip(digit) == 0) return false;
  if (i == word.size() || word[i] != ':') return false;
  ++i;
  return skip(digit) > 0 && i == word.size();
}

}  // namespace

std::vector<Verse> parse_verses(std::string_view output, const std::string& name) {
  std::vector<Verse> verses;
  std::size_t line_number = 0;
  while (!output.empty()) {
    ++line_number;
    const std::size_t end = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || blank + 1 == line.size() || !is_reference(line.substr(0, blank))) {
      throw std::runtime_error(
          fmt::format("{}, line {}: \"{}\" is not a verse (reference, blank, text); give one verse per line", name,
                      line_number, line.substr(0, 40)));
    }
    verses.push_back({std::string(line.substr(0, blank)), std::string(line.substr(blank + 1))});
  }
  if (verses.empty()) throw std::runtime_error(fmt::format("{} holds no verse; {}", name, fix));
  return verses;
}

bool kjv_is_installed() {
  const char* path = std::getenv("PATH");
  std::string_view folders = path != nullptr ? path : "";
  bool program = false;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const std::filesystem::path candidate = std::filesystem::path(folders.substr(0, end)) / "bible";
    program = program || access(candidate.c_str(), X_OK) == 0;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return program && access((std::filesystem::path(data_folder) / "bible.data").c_str(), R_OK) == 0;
}

std::vector<Verse> read_kjv() {
  if (!kjv_is_installed()) {
    throw std::runtime_error(
        fmt::format("the program bible or its data {}/bible.data is missing; {}", data_folder, fix));
  }
  // -p: the program would otherwise read a bible.data of the current folder first. -f: one verse a line.
  const std::string command = fmt::format("bible -p {} -f Gen1:1-Rev22:21 2>/dev/null", data_folder);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error(fmt::format("cannot run the program bible; {}", fix));
  std::string output;
  std::array<char, 1U << 16U> buffer{};
  std::size_t length = 0;
  while ((length = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0) output.append(buffer.data(), length);
  if (const int status = pclose(pipe); status != 0) {
    throw std::runtime_error(fmt::format("the program bible failed (status {}); {}", status, fix));
  }
  check_text(output, "the output of bible");
  std::vector<Verse> verses = parse_verses(output, "the output of bible");
  if (verses.size() != verses_in_kjv) {
    throw std::runtime_error(
        fmt::format("the program bible printed {} verses where the King James Version has {}; {} again", verses.size(),
                    verses_in_kjv, fix));
  }
  return verses;
}

std::string running_text(const std::vector<Verse>& verses) {
  std::string text;
  for (const Verse& verse : verses) {
    text += verse.text;
    text += '\n';
  }
  return text;
}

}  // namespace attest::data
