// Entry points on a card. A block has WARPS warps that know nothing of each other.

extern "C" __global__ void sizes(u64* out) {
    out[0] = sizeof(Lane);
    out[1] = STORE_SIZE;
    out[2] = sizeof(WarpState);
    out[3] = sizeof(Shared);
}

extern "C" __global__ void __launch_bounds__(WARPS * 32, MIN_BLOCKS) play_games(const __grid_constant__ Job job) {
    extern __shared__ u64 memory[];
    u32 index = blockIdx.x * WARPS + threadIdx.x / WIDTH;
    if (index >= job.warp_count) return;
    const u32 words = VALUES_SHARED ? (SLOTS + FLUENTS + 1) / 2 * 2 : 0;
    u8* own = (u8*)memory + threadIdx.x / WIDTH * (rounded(sizeof(Shared)) + rounded(4 * words));
    Shared& shared = *(Shared*)own;
    u32* values = VALUES_SHARED ? (u32*)(own + rounded(sizeof(Shared))) : job.values + (u64)index * (SLOTS + FLUENTS);
    Lane& saved = ((Lane*)job.lanes)[(u64)index * WIDTH + Warp::number()];
    Warp warp;
    u32 row[ROW_WORDS];
    warp.row = row;
    warp.mine = saved;
    bool goes_on = run_warp(warp, job, ((WarpState*)job.warps)[index], shared, values, values + SLOTS);
    saved = warp.mine;
    if (goes_on && Warp::number() == 0) fetch_add(job.queue + 1, 1u);
}
