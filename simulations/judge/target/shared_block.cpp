#include "simulations/judge/target/shared_block.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attest::judge {
namespace {

[[noreturn]] void fail() {
  throw std::runtime_error(std::string("no memory can be shared with the target's process: ") + std::strerror(errno));
}

}  // namespace

SharedBlock::SharedBlock() {
  constexpr int first_free = 10;
  const int made = memfd_create("arrays", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made < 0) fail();
  descriptor_ = fcntl(made, F_DUPFD_CLOEXEC, first_free);
  close(made);
  // Reading beyond the end of what the other side made smaller would end this process.
  if (descriptor_ < 0 || fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK) != 0) fail();
}

SharedBlock::~SharedBlock() {
  if (memory_ != nullptr) munmap(memory_, mapped_);
  if (descriptor_ >= 0) close(descriptor_);
}

void SharedBlock::map(std::size_t size) {
  if (size <= mapped_) return;
  if (memory_ != nullptr) munmap(memory_, mapped_);
  memory_ = nullptr, mapped_ = 0;
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) fail();
  memory_ = static_cast<char*>(memory), mapped_ = size;
}

void SharedBlock::write(std::size_t offset, std::string_view bytes) {
  if (bytes.empty()) return;
  const std::size_t end = offset + bytes.size();
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail();
  if (static_cast<std::size_t>(status.st_size) < end && ftruncate(descriptor_, static_cast<off_t>(end)) != 0) fail();
  map(std::max(end, static_cast<std::size_t>(status.st_size)));
  std::memcpy(memory_ + offset, bytes.data(), bytes.size());
}

std::string_view SharedBlock::read(std::size_t count) {
  if (count == 0) return {};
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail();
  if (static_cast<std::size_t>(status.st_size) < count)
    throw std::invalid_argument("an answer's arrays are longer than the memory that they should be in");
  map(static_cast<std::size_t>(status.st_size));
  return {memory_, count};
}

}  // namespace attest::judge
