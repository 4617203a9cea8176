#include "simulations/judge/target/library_target.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <list>
#include <stdexcept>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "simulations/judge/attest_judge.h"
#include "simulations/judge/case/number_types.hpp"
#include "simulations/judge/target/child_process.hpp"
#include "simulations/judge/target/far_buffer.hpp"
#include "simulations/judge/target/guarded_buffer.hpp"
#include "simulations/judge/target/message.hpp"

namespace attest::judge {
namespace {

using simulations::Array;
using simulations::ElementType;
using Function = int (*)(attest_judge_call*);

constexpr int parent_socket = 3;

std::int32_t c_type(ElementType type) {
  switch (type) {
    case ElementType::float64:
      return ATTEST_JUDGE_FLOAT64;
    case ElementType::float32:
      return ATTEST_JUDGE_FLOAT32;
    case ElementType::float16:
      return ATTEST_JUDGE_FLOAT16;
    case ElementType::bfloat16:
      return ATTEST_JUDGE_BFLOAT16;
    case ElementType::boolean:
      return ATTEST_JUDGE_BOOL;
    default:
      return ATTEST_JUDGE_INT32;
  }
}

/// "causal=true;scale=0.3;window=2,0"
std::string options_text(const nlohmann::json& options) {
  std::string text;
  for (const auto& [name, value] : options.items()) {
    if (value.is_null()) continue;
    std::string written;
    if (value.is_array())
      for (const nlohmann::json& entry : value) written += (written.empty() ? "" : ",") + entry.dump();
    else
      written = value.is_string() ? value.get<std::string>() : value.dump();
    text += (text.empty() ? "" : ";") + name + "=" + written;
  }
  return text;
}

/// The arrays of one call: copies of the inputs, and outputs full of NaN, all between canaries.
class Memory {
 public:
  /// `strided`: [B][H][N][D] stored as [B][N][H][D].
  attest_judge_array input(const Array& array, bool strided) {
    attest_judge_array result = described(array.type, array.shape, strided && array.shape.size() == 4);
    GuardedBuffer& buffer = buffers_.emplace_back(array.bytes.size());
    result.data = buffer.data();
    const std::size_t size = simulations::size_of(array.type);
    for_each_entry(result, [&](std::size_t n, std::int64_t offset) {
      std::memcpy(buffer.data() + static_cast<std::size_t>(offset) * size, array.bytes.data() + n * size, size);
    });
    return result;
  }

  /// [B][H][N][D] with heads more than 2^31 entries apart; data is NULL where there is no address space for that.
  attest_judge_array far_input(const Array& array) {
    attest_judge_array result = described(array.type, array.shape, false);
    result.strides[1] = (std::int64_t{1} << 31) + 64;
    result.strides[0] = result.strides[1] * array.shape[1];
    const std::size_t size = simulations::size_of(array.type);
    FarBuffer& buffer = far_.emplace_back(static_cast<std::size_t>(result.strides[0] * array.shape[0]) * size);
    result.data = buffer.data();
    if (result.data == nullptr) return result;
    for_each_entry(result, [&](std::size_t n, std::int64_t offset) {
      std::memcpy(buffer.data() + static_cast<std::size_t>(offset) * size, array.bytes.data() + n * size, size);
    });
    return result;
  }

  attest_judge_array output(ElementType type, const std::vector<std::int64_t>& shape) {
    attest_judge_array result = described(type, shape, false);
    const std::string filled = untouched(type, static_cast<std::size_t>(entries(result)));
    GuardedBuffer& buffer = buffers_.emplace_back(filled.size());
    std::memcpy(buffer.data(), filled.data(), filled.size());
    result.data = buffer.data();
    return result;
  }

  /// What outputs are filled with: NaN of bits that no operation gives, so that a computed NaN is told from nothing.
  static std::string untouched(ElementType type, std::size_t count) {
    constexpr std::array<unsigned char, 8> of_float64 = {0x01, 0x5a, 0xa5, 0x3c, 0xc3, 0xa7, 0xf8, 0x7f};
    constexpr std::array<unsigned char, 4> of_float32 = {0x5a, 0xa5, 0xc3, 0x7f};
    constexpr std::array<unsigned char, 2> of_float16 = {0x5a, 0x7e}, of_bfloat16 = {0xc5, 0x7f};
    std::string bytes;
    const auto repeat = [&](const auto& pattern) {
      for (std::size_t n = 0; n < count; ++n) bytes.append(pattern.begin(), pattern.end());
    };
    if (type == ElementType::float64) repeat(of_float64);
    if (type == ElementType::float32) repeat(of_float32);
    if (type == ElementType::float16) repeat(of_float16);
    if (type == ElementType::bfloat16) repeat(of_bfloat16);
    return bytes;
  }

  /// The entries in row-major order.
  static std::string bytes(const attest_judge_array& array, std::size_t size) {
    std::string result(static_cast<std::size_t>(entries(array)) * size, '\0');
    for_each_entry(array, [&](std::size_t n, std::int64_t offset) {
      std::memcpy(result.data() + n * size,
                  static_cast<const char*>(array.data) + static_cast<std::size_t>(offset) * size, size);
    });
    return result;
  }

  bool intact() const {
    for (const GuardedBuffer& buffer : buffers_)
      if (!buffer.intact()) return false;
    return true;
  }

 private:
  static std::int64_t entries(const attest_judge_array& array) {
    std::int64_t count = 1;
    for (int axis = 0; axis < array.rank; ++axis) count *= array.shape[axis];
    return count;
  }

  static attest_judge_array described(ElementType type, const std::vector<std::int64_t>& shape, bool tokens_first) {
    attest_judge_array result{};
    result.type = c_type(type);
    result.rank = static_cast<std::int32_t>(shape.size());
    std::int64_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      result.shape[axis] = shape[axis];
      result.strides[axis] = stride;
      stride *= shape[axis];
    }
    if (tokens_first) {
      result.strides[1] = shape[3];
      result.strides[2] = shape[1] * shape[3];
    }
    return result;
  }

  template <typename Visit>
  static void for_each_entry(const attest_judge_array& array, const Visit& visit) {
    std::array<std::int64_t, 4> index{};
    for (std::int64_t n = 0; n < entries(array); ++n) {
      std::int64_t offset = 0;
      for (int axis = 0; axis < array.rank; ++axis)
        offset += index[static_cast<std::size_t>(axis)] * array.strides[axis];
      visit(static_cast<std::size_t>(n), offset);
      for (int axis = array.rank; axis-- > 0;) {
        if (++index[static_cast<std::size_t>(axis)] < array.shape[axis]) break;
        index[static_cast<std::size_t>(axis)] = 0;
      }
    }
  }

  std::list<GuardedBuffer> buffers_;
  std::list<FarBuffer> far_;
};

Answer answered(Function function, const Request& request) {
  Memory memory;
  attest_judge_call call{};
  call.version = ATTEST_JUDGE_VERSION;
  call.bytes = sizeof call;
  const std::map<std::string, attest_judge_array*> inputs = {{"q", &call.q},
                                                             {"k", &call.k},
                                                             {"v", &call.v},
                                                             {"mask", &call.mask},
                                                             {"bias", &call.bias},
                                                             {"alibi_slopes", &call.alibi_slopes},
                                                             {"sinks", &call.sinks},
                                                             {"dropout_mask", &call.dropout_mask},
                                                             {"cu_seqlens", &call.cu_seqlens},
                                                             {"cu_seqlens_k", &call.cu_seqlens_k},
                                                             {"dout", &call.dout},
                                                             {"dlse", &call.dlse}};
  for (const auto& [name, array] : request.arrays) {
    const auto place = inputs.find(name);
    if (place == inputs.end()) {
      Answer refused;
      refused.status = Answer::Status::absent;
      refused.message = name + ": the interface has no such array";
      return refused;
    }
    const bool far = request.far && array.shape.size() == 4 && name != "mask" && name != "dropout_mask";
    *place->second = far ? memory.far_input(array) : memory.input(array, request.strided && name != "mask");
    if (place->second->data == nullptr) {
      Answer refused;
      refused.status = Answer::Status::absent;
      refused.message = "strides beyond 2^31 entries: no address space for them here";
      return refused;
    }
  }
  const Array &q = request.arrays.at("q"), &k = request.arrays.at("k"), &v = request.arrays.at("v");
  const ElementType type = q.type, lse_type = type == ElementType::float64 ? type : ElementType::float32;
  std::vector<std::int64_t> out_shape = q.shape;
  out_shape[3] = v.shape[3];
  call.out = memory.output(type, out_shape);
  call.lse = memory.output(lse_type, {q.shape[0], q.shape[1], q.shape[2]});
  std::vector<std::tuple<const char*, attest_judge_array*, ElementType>> outputs = {{"out", &call.out, type},
                                                                                    {"lse", &call.lse, lse_type}};
  if (request.arrays.contains("dout")) {
    call.dq = memory.output(type, q.shape);
    call.dk = memory.output(type, k.shape);
    call.dv = memory.output(type, v.shape);
    outputs.insert(outputs.end(), {{"dq", &call.dq, type}, {"dk", &call.dk, type}, {"dv", &call.dv, type}});
  }
  const std::string options = options_text(request.options);
  call.options = options.c_str();
  call.seed = request.options.value("seed", std::uint64_t{0});
  const std::vector<std::pair<const char*, attest_judge_array*>> watched = {
      {"q", &call.q}, {"k", &call.k}, {"v", &call.v}, {"dout", &call.dout}};
  const attest_judge_call given = call;
  const int result = function(&call);
  Answer answer;
  call.message[sizeof call.message - 1] = '\0';
  if (result == ATTEST_JUDGE_UNSUPPORTED) {
    answer.status = Answer::Status::absent;
    answer.message = call.message[0] != '\0' ? fmt::format("cases that the library does not take ({})", call.message)
                                             : "cases that the library does not take";
    return answer;
  }
  if (result != ATTEST_JUDGE_DONE) {
    answer.status = Answer::Status::raised;
    answer.message = fmt::format("returned {}{}{}", result, call.message[0] != '\0' ? ": " : "", call.message);
    return answer;
  }
  answer.overrun = !memory.intact();
  bool any = false;
  for (const auto& [name, array, element] : outputs) {
    // The library may have moved a pointer in its own copy: what was handed over is what counts.
    attest_judge_array place = *array;
    if (std::string_view(name) == "out") place = given.out;
    if (std::string_view(name) == "lse") place = given.lse;
    if (std::string_view(name) == "dq") place = given.dq;
    if (std::string_view(name) == "dk") place = given.dk;
    if (std::string_view(name) == "dv") place = given.dv;
    Array value{element, std::vector<std::int64_t>(place.shape, place.shape + place.rank), {}};
    value.bytes = Memory::bytes(place, simulations::size_of(element));
    const bool untouched =
        value.bytes == Memory::untouched(element, value.bytes.size() / simulations::size_of(element));
    any = any || (!untouched && std::string_view(name) == "out");
    // A result that still holds nothing but what it was filled with was not computed: lse may be left so.
    if (untouched && std::string_view(name) == "lse") continue;
    answer.arrays[name] = std::move(value);
  }
  if (!any && !answer.overrun) {
    answer.arrays.clear();
    answer.unusable["out"] = "None";
  }
  for (const auto& [name, array] : watched) {
    if (array->data == nullptr) continue;
    const Array& original = request.arrays.at(name);
    if (Memory::bytes(*array, simulations::size_of(original.type)) != original.bytes) answer.changed.emplace_back(name);
  }
  return answer;
}

void send(const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(parent_socket, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(0);
    done += static_cast<std::size_t>(count);
  }
}

std::string receive(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t done = 0; done < count;) {
    const ssize_t got = read(parent_socket, bytes.data() + done, count - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) _exit(0);
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

void greet(const nlohmann::json& greeting) {
  const std::string text = greeting.dump();
  const std::uint64_t length = text.size();
  send(std::string(reinterpret_cast<const char*>(&length), sizeof length) + text);
}

}  // namespace

TargetMaker library_target(std::string file, double limit_seconds) {
  return [file = std::move(file), limit_seconds] {
    const std::string path = std::filesystem::absolute(file).string();
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    return std::make_unique<ChildProcess>(std::vector<std::string>{self, "judge-library", path}, file, limit_seconds);
  };
}

int serve_library(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    greet({{"error", fmt::format("this is no shared library that can be loaded ({})", dlerror())}});
    return 2;
  }
  void* symbol = dlsym(library, "attest_judge_attention");
  if (symbol == nullptr) {
    greet({{"error", "the library has no function attest_judge_attention (see attest_judge.h)"}});
    return 2;
  }
  const auto function = reinterpret_cast<Function>(symbol);
  greet({{"far", true},
         {"parameters",
          {"mask", "causal", "alignment", "scale", "window", "softcap", "cu_seqlens", "cu_seqlens_k", "bias",
           "alibi_slopes", "sinks", "dropout_mask", "dout", "dlse"}}});
  for (;;) {
    std::uint64_t length = 0;
    std::memcpy(&length, receive(sizeof length).data(), sizeof length);
    const nlohmann::json header = nlohmann::json::parse(receive(length));
    send(message_of(answered(function, request_from(header, receive(payload_bytes(header))))));
  }
}

}  // namespace attest::judge
