#include "simulations/command/statements/tex_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::commands {

std::string read_tex(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw std::invalid_argument(fmt::format("{}: the TeX source cannot be read; check the path", file));
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace attest::commands
