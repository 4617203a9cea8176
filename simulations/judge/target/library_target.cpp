#include "simulations/judge/target/library_target.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "simulations/judge/attest_judge.h"
#include "simulations/judge/target/call_memory.hpp"
#include "simulations/judge/target/child_process.hpp"
#include "simulations/judge/target/message.hpp"

namespace attest::judge {
namespace {

using arrays::Array;
using arrays::ElementType;
using Function = int (*)(attest_judge_call*);

constexpr int parent_socket = 3;

/// "causal=true;scale=0.3;window=2,0", in the order of the header.
std::string options_text(const nlohmann::json& options) {
  constexpr std::string_view in_order[] = {"causal", "alignment", "scale", "window", "softcap"};
  std::vector<std::string> names;
  for (const std::string_view name : in_order)
    if (options.contains(name)) names.emplace_back(name);
  for (const auto& [name, value] : options.items())
    if (std::ranges::find(in_order, name) == std::end(in_order)) names.push_back(name);
  std::string text;
  for (const std::string& name : names) {
    const nlohmann::json& value = options.at(name);
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

/// An array of a call.
using Place = attest_judge_array attest_judge_call::*;

constexpr std::pair<const char*, Place> input_places[] = {{"q", &attest_judge_call::q},
                                                          {"k", &attest_judge_call::k},
                                                          {"v", &attest_judge_call::v},
                                                          {"mask", &attest_judge_call::mask},
                                                          {"bias", &attest_judge_call::bias},
                                                          {"alibi_slopes", &attest_judge_call::alibi_slopes},
                                                          {"sinks", &attest_judge_call::sinks},
                                                          {"dropout_mask", &attest_judge_call::dropout_mask},
                                                          {"cu_seqlens", &attest_judge_call::cu_seqlens},
                                                          {"cu_seqlens_k", &attest_judge_call::cu_seqlens_k},
                                                          {"dout", &attest_judge_call::dout},
                                                          {"dlse", &attest_judge_call::dlse}};

const std::pair<const char*, Place>* input_place(std::string_view name) {
  return std::find_if(std::begin(input_places), std::end(input_places),
                      [&](const auto& one) { return one.first == name; });
}

/// Places the arrays of a request in the call; why that is not possible, or nothing.
std::optional<std::string> place_inputs(const Request& request, CallMemory& memory, attest_judge_call& call) {
  for (const auto& [name, array] : request.arrays) {
    const auto* const known = input_place(name);
    if (known == std::end(input_places)) return name + ": the interface has no such array";
    const bool pairs = name == "mask" || name == "dropout_mask";
    const bool far = request.far && array.shape.size() == 4 && !pairs;
    attest_judge_array& place = call.*known->second;
    place = far ? memory.far_input(array, request.layout) : memory.input(array, request.layout);
    if (place.data == nullptr) return "strides beyond 2^31 entries: no address space for them here";
  }
  return std::nullopt;
}

struct PlacedOutput {
  const char* name;
  Place place;
  ElementType type;
};

/// Places room for the results in the call.
std::vector<PlacedOutput> place_outputs(const Request& request, CallMemory& memory, attest_judge_call& call) {
  const Array &q = request.arrays.at("q"), &k = request.arrays.at("k"), &v = request.arrays.at("v");
  const ElementType type = q.type, lse_type = type == ElementType::float64 ? type : ElementType::float32;
  std::vector<std::int64_t> out_shape = q.shape;
  out_shape[3] = v.shape[3];
  std::vector<PlacedOutput> outputs;
  const auto place = [&](const char* name, Place at, ElementType element, const std::vector<std::int64_t>& shape) {
    call.*at = memory.output(element, shape, request.layout);
    outputs.push_back({name, at, element});
  };
  place("out", &attest_judge_call::out, type, out_shape);
  place("lse", &attest_judge_call::lse, lse_type, {q.shape[0], q.shape[1], q.shape[2]});
  if (request.arrays.contains("dout")) {
    place("dq", &attest_judge_call::dq, type, q.shape);
    place("dk", &attest_judge_call::dk, type, k.shape);
    place("dv", &attest_judge_call::dv, type, v.shape);
  }
  return outputs;
}

/// What the function wrote. `given`: the call as it was handed over; the library may have moved pointers in its copy.
void take_outputs(const attest_judge_call& given, const std::vector<PlacedOutput>& outputs, Answer& answer) {
  bool any = false;
  for (const PlacedOutput& output : outputs) {
    const attest_judge_array& place = given.*output.place;
    const std::size_t size = arrays::size_of(output.type);
    Array value{output.type, std::vector<std::int64_t>(place.shape, place.shape + place.rank), {}};
    value.bytes = CallMemory::bytes(place, size);
    const bool untouched = value.bytes == CallMemory::untouched(output.type, value.bytes.size() / size);
    const std::string_view name = output.name;
    any = any || (!untouched && name == "out");
    // A result that still holds nothing but what it was filled with was not computed: lse may be left so.
    if (untouched && name == "lse") continue;
    answer.arrays[output.name] = std::move(value);
  }
  if (any || answer.overrun) return;
  answer.arrays.clear();
  answer.unusable["out"] = "None";
}

Answer answered(Function function, const Request& request) {
  CallMemory memory;
  attest_judge_call call{};
  call.version = ATTEST_JUDGE_VERSION;
  call.bytes = sizeof call;
  if (const auto why_not = place_inputs(request, memory, call)) return without_arrays(Answer::Status::absent, *why_not);
  const std::vector<PlacedOutput> outputs = place_outputs(request, memory, call);
  const std::string options = options_text(request.options);
  call.options = options.c_str();
  call.seed = request.options.value("seed", std::uint64_t{0});
  const attest_judge_call given = call;
  const int result = function(&call);
  call.message[sizeof call.message - 1] = '\0';
  const bool speaks = call.message[0] != '\0';
  if (result == ATTEST_JUDGE_UNSUPPORTED)
    return without_arrays(Answer::Status::absent, speaks ? fmt::format("the library does not take it: {}", call.message)
                                                         : "the library does not take it");
  if (result != ATTEST_JUDGE_DONE)
    return without_arrays(Answer::Status::raised,
                          fmt::format("returned {}{}{}", result, speaks ? ": " : "", call.message));
  Answer answer;
  answer.overrun = !memory.intact();
  take_outputs(given, outputs, answer);
  for (const char* name : {"q", "k", "v", "dout"}) {
    const attest_judge_array& array = given.*input_place(name)->second;
    if (array.data == nullptr) continue;
    const Array& original = request.arrays.at(name);
    if (CallMemory::bytes(array, arrays::size_of(original.type)) != original.bytes) answer.changed.emplace_back(name);
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
    greet({{"error", fmt::format("this is not a shared library that can be loaded ({})", dlerror())}});
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
