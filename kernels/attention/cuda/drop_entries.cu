#include "kernels/attention/cuda/device_memory.cuh"
#include "kernels/attention/cuda/drop_entries.cuh"
#include "kernels/attention/cuda/drop_entries.hpp"

namespace attest::attention {

template <typename S>
void drop_entries_cuda(const S* in, S* out, Index entries, const Dropout& dropout, const std::uint64_t* added_seed,
                       void* stream) {
  using D = typename cuda::Device<S>::Type;
  if (entries == 0) return;
  const cuda::EntryDropout pattern{dropout_threshold(dropout.rate), dropout.seed, added_seed};
  cuda::launch(cuda::drop_entries_kernel<D>, cuda::blocks_of_entries(entries), 0, stream,
               "launching the kernel of dropout", reinterpret_cast<const D*>(in), reinterpret_cast<D*>(out), entries,
               pattern, 1.0F / (1.0F - static_cast<float>(dropout.rate)));
}

template void drop_entries_cuda(const float*, float*, Index, const Dropout&, const std::uint64_t*, void*);
template void drop_entries_cuda(const Half*, Half*, Index, const Dropout&, const std::uint64_t*, void*);
template void drop_entries_cuda(const Bfloat16*, Bfloat16*, Index, const Dropout&, const std::uint64_t*, void*);

}  // namespace attest::attention
