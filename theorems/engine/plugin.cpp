#include "theorems/engine/plugin.hpp"

#include <filesystem>
#include <stdexcept>

#include <dlfcn.h>
#include <fmt/format.h>

namespace attest::engine {

Claims claims_of_plugin(const std::string& file) {
  // A name without a slash would be looked for where libraries are installed.
  const std::string path = std::filesystem::absolute(file).string();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    throw std::invalid_argument(fmt::format("{}: the plug-in cannot be loaded ({}); build it against this version",
                                            file, why == nullptr ? "no reason given" : why));
  }
  const auto interface = reinterpret_cast<int (*)()>(dlsym(library, "attest_plugin_interface"));
  const auto claims_of = reinterpret_cast<void (*)(Claims&)>(dlsym(library, "attest_plugin_claims"));
  if (interface == nullptr || claims_of == nullptr)
    throw std::invalid_argument(
        fmt::format("{}: this library is not a plug-in; declare its claims with ATTEST_PLUGIN(...)", file));
  if (interface() != ATTEST_PLUGIN_INTERFACE)
    throw std::invalid_argument(fmt::format("{}: it has the interface {} of plug-ins, this program {}; build it again",
                                            file, interface(), ATTEST_PLUGIN_INTERFACE));
  Claims claims;
  claims_of(claims);
  return claims;
}

}  // namespace attest::engine
