#include "simulations/command/hand_over.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

namespace attest::commands {

int hand_over(const char* name, const std::vector<std::string>& arguments) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
  if (!std::filesystem::exists(program))
    throw std::runtime_error(
        "trained models need LibTorch, which this build lacks: install libtorch-dev and libopenblas-openmp-dev, "
        "then configure and build again (./attest train does both)");
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), program.string());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  throw std::runtime_error(fmt::format("cannot start {}: {}; build it again", program.string(), std::strerror(errno)));
}

}  // namespace attest::commands
