#include "kernels/digest/sha256.hpp"

#include <array>
#include <fstream>
#include <memory>
#include <stdexcept>

#include <fmt/core.h>
#include <openssl/evp.h>

#include "kernels/files/whole_file.hpp"

namespace attest::digest {
namespace {

/// A digest in the making; every step after a refused one does nothing.
class Digest {
 public:
  void add(std::string_view bytes) {
    fine_ = fine_ && EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1;
  }

  /// The hexadecimal digits, empty when OpenSSL refused a step.
  std::string digits() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned length = 0;
    if (!fine_ || EVP_DigestFinal_ex(context_.get(), bytes.data(), &length) != 1) return "";
    std::string text;
    for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", bytes[i]);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_{EVP_MD_CTX_new(), EVP_MD_CTX_free};
  bool fine_ = context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  std::string digits = digest.digits();
  if (digits.empty()) throw std::runtime_error("OpenSSL refused a sha256; check its installation");
  return digits;
}

std::string sha256_of_file(const std::filesystem::path& path) {
  files::require_an_end(path);
  std::ifstream file(path, std::ios::binary);
  const bool opened = file.good();
  Digest digest;
  std::array<char, 1U << 16U> buffer{};
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0)
    digest.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
  std::string digits = digest.digits();
  if (!opened || file.bad() || digits.empty())
    throw std::runtime_error(fmt::format("cannot read {} for its sha256; check the file", path.string()));
  return digits;
}

}  // namespace attest::digest
