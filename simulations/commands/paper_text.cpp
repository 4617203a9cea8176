#include "simulations/commands/paper_text.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/files/atomic_file.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/language/papers/draft.hpp"
#include "theorems/language/papers/tex_source.hpp"

namespace attest::commands {
namespace {

std::string read_tex(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw std::invalid_argument(fmt::format("{}: the TeX source cannot be read; check the path", file));
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

language::PaperFile read_paper(const std::string& file) {
  try {
    return language::read_paper_file(file, std::nullopt);
  } catch (const std::runtime_error& failure) {
    throw std::invalid_argument(failure.what());
  }
}

}  // namespace

int new_paper(const std::string& file, const std::string& tex) {
  if (std::filesystem::exists(file))
    throw std::invalid_argument(fmt::format("{}: the file exists already; name another, or remove it", file));
  const std::string source = read_tex(tex);
  const auto labelled = language::labelled_environments(source);
  if (labelled.empty())
    throw std::invalid_argument(
        fmt::format("{}: no theorem, equation or the like in it has a \\label; label what is to be judged", tex));
  reports::write_file_atomically(file, language::draft_of(source));
  fmt::print("{}: {} labelled statements; write what each says, then: attest check {}\n", file, labelled.size(), file);
  return terminal::exit_success;
}

int drift(const std::string& tex, const std::string& file) {
  const std::string source = read_tex(tex);
  const language::PaperFile paper = read_paper(file);
  const auto drifts = language::drift_between(source, paper);
  for (const language::Drift& each : drifts)
    fmt::print("{}, line {}: {}: {}\n", file, each.line, each.id, each.sentence);
  const auto missing = language::not_transcribed(source, paper);
  if (!missing.empty()) fmt::print("{}: no claim of {} was transcribed from {}\n", tex, file, fmt::join(missing, ", "));
  if (drifts.empty()) fmt::print("every transcribed claim still has its text in {}\n", tex);
  return drifts.empty() ? terminal::exit_success : terminal::exit_difference;
}

}  // namespace attest::commands
