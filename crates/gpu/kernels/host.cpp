// The same kernel without a card: a warp is a loop, one warp follows the other. Reads a job from a file and writes the games
// to another, as `emulate.rs` wants them.

#include <stdio.h>
#include <stdlib.h>

static void* zeros(u64 bytes) {
    void* memory = calloc(bytes > 0 ? bytes : 1, 1);
    if (memory == 0) {
        fprintf(stderr, "no memory for %llu bytes\n", bytes);
        exit(2);
    }
    return memory;
}

static void* read_part(FILE* file, u64 bytes) {
    void* memory = zeros(bytes);
    if (fread(memory, 1, bytes, file) != bytes) {
        fprintf(stderr, "the job is too short\n");
        exit(2);
    }
    return memory;
}

int main(int count, char** names) {
    FILE* in = count == 3 ? fopen(names[1], "rb") : 0;
    if (in == 0) {
        fprintf(stderr, "usage: JOB GAMES\n");
        return 2;
    }
    u64 head[12];
    if (fread(head, 8, 12, in) != 12) return 2;
    Job job = {};
    job.sheet = (const u32*)read_part(in, head[0]);
    job.players = (const Player*)read_part(in, head[1]);
    job.tasks = (const SeatTask*)read_part(in, head[2]);
    job.logs = (const double*)read_part(in, 8 * head[3]);
    job.discounts = (const double*)read_part(in, 8 * head[11]);
    fclose(in);
    job.log_count = (u32)head[3];
    job.games = (u32)head[4];
    job.history = (u32)head[5];
    job.ticks = (u32)head[6];
    job.warp_count = (u32)head[7];
    u64 players = head[1] / sizeof(Player);
    memcpy(job.first_players, job.players, sizeof(Player) * (players < FIRST_PLAYERS ? players : FIRST_PLAYERS));
    job.pool_size = head[8];
    job.searches_only = (u32)head[9];
    job.width = (u32)head[10];
    u64 result_bytes = sizeof(Result) * job.games, move_bytes = 4ull * ROLES * job.history * job.games;
    job.results = (Result*)zeros(result_bytes);
    job.moves = (u32*)zeros(move_bytes);
    job.pool = (u8*)zeros(job.pool_size);
    u64 counts[3] = {0, 0, 0};
    u32 queue[3] = {0, 0, 0};
    job.counts = counts;
    job.queue = queue;
    Warp* warps = (Warp*)zeros(sizeof(Warp) * job.warp_count);
    WarpState* states = (WarpState*)zeros(sizeof(WarpState) * job.warp_count);
    Shared shared = {};
    u32* values = (u32*)zeros(4 * (SLOTS + FLUENTS));
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (u32 warp = 0; warp < job.warp_count; warp++)
            goes_on |= run_warp(warps[warp], job, states[warp], shared, values, values + SLOTS);
    }
    FILE* out = fopen(names[2], "wb");
    bool written = out != 0 && fwrite(job.results, 1, result_bytes, out) == result_bytes &&
                   fwrite(job.moves, 1, move_bytes, out) == move_bytes && fwrite(counts, 8, 1, out) == 1 && fclose(out) == 0;
    return written ? 0 : 2;
}
