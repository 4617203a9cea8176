#include "simulations/data/sha256.hpp"

#include <array>
#include <fstream>
#include <memory>
#include <stdexcept>

#include <fmt/core.h>
#include <openssl/evp.h>

namespace attest::simulations {

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const auto context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  bool fine = file.good() && context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  std::array<char, 1U << 16U> buffer{};
  while (fine && (file.read(buffer.data(), buffer.size()) || file.gcount() > 0))
    fine = EVP_DigestUpdate(context.get(), buffer.data(), static_cast<std::size_t>(file.gcount())) == 1;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (!fine || file.bad() || EVP_DigestFinal_ex(context.get(), digest.data(), &length) != 1)
    throw std::runtime_error(fmt::format("cannot read {} for its sha256; check the file", path.string()));
  std::string hexadecimal;
  for (unsigned i = 0; i < length; ++i) hexadecimal += fmt::format("{:02x}", digest[i]);
  return hexadecimal;
}

}  // namespace attest::simulations
