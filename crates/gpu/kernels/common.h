// What all stages share: numbers, random draws, exponentials, and a warp that is 32 threads on a card and a loop on the host.
//
// A *lane* is one seat of one game. The 32 lanes of a warp compute the rules of their positions together and then each goes
// on with its own search. Code that all lanes run together is written as regions:
//
//   warp.each([&](u32 lane, Lane& me) { ... });      every lane once, then a barrier
//   u32 bits = warp.ballot([&](u32 lane, Lane& me) { return ...; });      bit i is what lane i says
//   u32 size = warp.of(5, [](const Lane& me) { return me.size; });         what lane 5 says, told to all
//
// What lanes keep from one region to the next is a `PerLane`. Between regions all lanes do the same with the same numbers.
//
// Floating-point operations have the order of the search crate; the compiler may not contract them.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
#define ON_CARD 1
#define FN static __device__ __forceinline__
#define OUTLINE static __device__ __noinline__
#else
#define ON_CARD 0
#define FN static inline
#define OUTLINE static
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#endif

// Loops over roles are unrolled, so that what a lane keeps by role stays in registers.
#if ON_CARD
#define EACH_ROLE(role) _Pragma("unroll") for (u32 role = 0; role < ROLES; role++)
#else
#define EACH_ROLE(role) for (u32 role = 0; role < ROLES; role++)
#endif

// Several items are loaded at once where memory is slower than the rest.
#if ON_CARD
#define EACH_OF(count, place) _Pragma("unroll") for (u32 place = 0; place < count; place++)
#else
#define EACH_OF(count, place) for (u32 place = 0; place < count; place++)
#endif
#define EACH_OF_FOUR(place) EACH_OF(4, place)

// Warps at different places of the kernels share a small cache of instructions, so that long loops are not unrolled.
#if ON_CARD
#define ROLLED _Pragma("unroll 1")
#define BY_FOURS _Pragma("unroll 4")
#else
#define ROLLED
#define BY_FOURS
#endif

const u32 WIDTH = 32;
const u32 NONE = 0xffffffff;

FN u32 count_ones(u32 bits) {
#if ON_CARD
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
}

// All ones if the highest bit of a byte is set.
template <u32 BYTE> FN u32 sign_of_byte(u32 word) {
#if ON_CARD
    u32 signs;
    asm("prmt.b32 %0, %1, 0, %2;" : "=r"(signs) : "r"(word), "n"(0x1111 * (8 + BYTE)));
    return signs;
#else
    return word >> (8 * BYTE + 7) & 1 ? 0xffffffff : 0;
#endif
}

// The place of the lowest bit that is set; there is one.
FN u32 lowest(u32 bits) {
#if ON_CARD
    return __ffs(bits) - 1;
#else
    return __builtin_ctz(bits);
#endif
}

// The place of the set bit that has `nth` others below it; there is one.
FN u32 nth_bit(u32 bits, u32 nth) {
    u32 place = 0;
    for (u32 half = 16; half > 0; half >>= 1) {
        u32 below = count_ones(bits >> place & ((1u << half) - 1));
        if (nth >= below) {
            nth -= below;
            place += half;
        }
    }
    return place;
}

FN double double_of(u64 bits) {
#if ON_CARD
    return __longlong_as_double(bits);
#else
    double value;
    memcpy(&value, &bits, 8);
    return value;
#endif
}

// Quotients and roots that are right to a few of the last bits of a float, for positive numbers.
FN float rough_quotient(float a, float b) {
#if ON_CARD
    return __fdividef(a, b);
#else
    return a / b;
#endif
}

FN float rough_root(float x) {
#if ON_CARD
    return x * rsqrtf(x);
#else
    return sqrtf(x);
#endif
}

FN double infinite() { return double_of(0x7ff0000000000000ull); }

FN u64 bits_of(double value) {
#if ON_CARD
    return __double_as_longlong(value);
#else
    u64 bits;
    memcpy(&bits, &value, 8);
    return bits;
#endif
}

FN float float_of(u32 bits) {
#if ON_CARD
    return __uint_as_float(bits);
#else
    float value;
    memcpy(&value, &bits, 4);
    return value;
#endif
}

FN u32 bits_of(float value) {
#if ON_CARD
    return __float_as_uint(value);
#else
    u32 bits;
    memcpy(&bits, &value, 4);
    return bits;
#endif
}

FN u64 fetch_add(u64* counter, u64 more) {
#if ON_CARD
    return atomicAdd(counter, more);
#else
    u64 before = *counter;
    *counter += more;
    return before;
#endif
}

FN u32 fetch_add(u32* counter, u32 more) {
#if ON_CARD
    return atomicAdd(counter, more);
#else
    u32 before = *counter;
    *counter += more;
    return before;
#endif
}

FN void set_bits(u32* word, u32 bits) {
#if ON_CARD
    atomicOr(word, bits);
#else
    *word |= bits;
#endif
}

// Asks for memory that will soon be read.
FN void prefetch(const void* place) {
#if ON_CARD
    asm volatile("prefetch.global.L2 [%0];" : : "l"(place));
#else
    (void)place;
#endif
}

// Sets a word, and returns what it was.
FN u32 exchange(u32* word, u32 value) {
#if ON_CARD
    return atomicExch(word, value);
#else
    u32 before = *word;
    *word = value;
    return before;
#endif
}

// Sets a word that is as expected, and returns what it was.
template <class T> FN T set_if(T* word, T expected, T value) {
#if ON_CARD
    return atomicCAS(word, expected, value);
#else
    T before = *word;
    if (before == expected) *word = value;
    return before;
#endif
}

// Words of the sheet, which nobody writes while the kernels run.
FN u32 read(const u32* place) {
#if ON_CARD
    return __ldg(place);
#else
    return *place;
#endif
}

// Something that every lane has of its own.
template <class T> struct PerLane {
#if ON_CARD
    T mine;
    __device__ __forceinline__ T& operator[](u32) { return mine; }
#else
    T all[WIDTH];
    T& operator[](u32 lane) { return all[lane]; }
#endif
};

#if ON_CARD
// What one thread has, told to all.
template <class T> FN T told(T value, u32 lane) {
    static_assert(sizeof(T) % 4 == 0, "whole words are told");
    u32 words[sizeof(T) / 4];
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (u32 word = 0; word < sizeof(T) / 4; word++) words[word] = __shfl_sync(0xffffffff, words[word], lane);
    memcpy(&value, words, sizeof(T));
    return value;
}
#endif

// What one lane has, told to all.
template <class T> FN T told(PerLane<T>& items, u32 lane) {
#if ON_CARD
    return told(items.mine, lane);
#else
    return items.all[lane];
#endif
}

// The lanes of a warp. On a card each thread has its own lane and its own copy of this.
template <class Lane, u32 WORDS> struct WarpOf {
#if ON_CARD
    Lane mine;
    u32* row;    // elsewhere: an array in here would keep the lane out of registers

    __device__ __forceinline__ u32* row_of(u32) { return row; }

    static __device__ __forceinline__ u32 number() { return threadIdx.x % WIDTH; }

    template <class F> __device__ __forceinline__ void each(F f) {
        f(number(), mine);
        __syncwarp();
    }

    template <class F> __device__ __forceinline__ u32 ballot(F f) { return __ballot_sync(0xffffffff, f(number(), mine)); }

    template <class F> __device__ __forceinline__ auto of(u32 lane, F f) { return told(f(mine), lane); }

    // After this no lane reads what it read before.
    __device__ __forceinline__ void have_read() { __syncwarp(); }

    // Rows of 32 items: lane j does item j of every row, and all wait for each other after loading and after each row. AHEAD rows
    // are loaded at once, because memory is slower than the rest; there is a multiple of so many.
    template <u32 AHEAD, class L, class F> __device__ __forceinline__ void in_rows(u32 from, u32 to, L load, F work) {
        ROLLED for (u32 row = from + number(); row < to; row += AHEAD * WIDTH) {
            decltype(load(0)) items[AHEAD];
#pragma unroll
            for (u32 ahead = 0; ahead < AHEAD; ahead++) items[ahead] = load(row + ahead * WIDTH);
            __syncwarp();
#pragma unroll
            for (u32 ahead = 0; ahead < AHEAD; ahead++) {
                work(items[ahead]);
                __syncwarp();
            }
        }
    }

    // `load(j)` is column j, whose bit i belongs to lane i. Lane i is given its row, whose bit j is that of column j.
    template <class L, class S> __device__ __forceinline__ void transpose(L load, S store) {
        u32 lane = number();
        u32 word = load(lane);
        u32 low = 0x0000ffff;
        for (u32 distance = 16; distance > 0; distance >>= 1) {
            u32 other = __shfl_xor_sync(0xffffffff, word, distance);
            word = lane & distance ? (word & ~low) | ((other >> distance) & low) : (word & low) | ((other << distance) & ~low);
            low ^= low << (distance >> 1);
        }
        store(lane, mine, word);
    }
#else
    Lane lanes[WIDTH];
    u32 rows[WIDTH][WORDS];

    u32* row_of(u32 lane) { return rows[lane]; }

    template <class F> void each(F f) {
        for (u32 lane = 0; lane < WIDTH; lane++) f(lane, lanes[lane]);
    }

    template <class F> u32 ballot(F f) {
        u32 bits = 0;
        for (u32 lane = 0; lane < WIDTH; lane++) bits |= (u32)(f(lane, lanes[lane]) ? 1 : 0) << lane;
        return bits;
    }

    template <class F> auto of(u32 lane, F f) { return f(lanes[lane]); }

    void have_read() {}

    template <u32 AHEAD, class L, class F> void in_rows(u32 from, u32 to, L load, F work) {
        if ((to - from) % (AHEAD * WIDTH) != 0) abort();
        for (u32 row = from; row < to; row += AHEAD * WIDTH) {
            decltype(load(0)) items[AHEAD * WIDTH];
            for (u32 place = 0; place < AHEAD * WIDTH; place++) items[place] = load(row + place);
            for (u32 place = 0; place < AHEAD * WIDTH; place++) work(items[place]);
        }
    }

    template <class L, class S> void transpose(L load, S store) {
        u32 rows[WIDTH] = {0};
        for (u32 column = 0; column < WIDTH; column++) {
            u32 bits = load(column);
            for (u32 lane = 0; lane < WIDTH; lane++) rows[lane] |= (bits >> lane & 1) << column;
        }
        for (u32 lane = 0; lane < WIDTH; lane++) store(lane, lanes[lane], rows[lane]);
    }
#endif
};

// Every thread of a warp once, for what it keeps to itself: nobody waits.
template <class F> FN void for_all(F f) {
#if ON_CARD
    f(threadIdx.x % WIDTH);
#else
    for (u32 thread = 0; thread < WIDTH; thread++) f(thread);
#endif
}

// xoshiro256++ and the splitting of seeds, as in `rng.rs`.
struct Rng {
    u64 s0, s1, s2, s3;
};

const u64 GOLDEN = 0x9e3779b97f4a7c15ull;

FN u64 spread(u64 z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

FN u64 seed_at(u64 seed, u64 index) { return spread((seed + GOLDEN) ^ spread(index * GOLDEN + GOLDEN)); }

FN Rng rng_of(u64 seed) {
    return Rng{spread(seed + GOLDEN), spread(seed + 2 * GOLDEN), spread(seed + 3 * GOLDEN), spread(seed + 4 * GOLDEN)};
}

FN u64 rotate_left(u64 value, u32 by) { return value << by | value >> (64 - by); }

FN u64 next_u64(Rng& rng) {
    u64 out = rotate_left(rng.s0 + rng.s3, 23) + rng.s0;
    u64 shifted = rng.s1 << 17;
    rng.s2 ^= rng.s0;
    rng.s3 ^= rng.s1;
    rng.s1 ^= rng.s2;
    rng.s0 ^= rng.s3;
    rng.s2 ^= shifted;
    rng.s3 = rotate_left(rng.s3, 45);
    return out;
}

FN u32 below(Rng& rng, u32 n) {
    u64 product = (next_u64(rng) >> 32) * n;
    if ((u32)product < n) {
        u32 unfair = (0u - n) % n;
        ROLLED while ((u32)product < unfair) product = (next_u64(rng) >> 32) * n;
    }
    return (u32)(product >> 32);
}

FN double unit(Rng& rng) { return (double)(next_u64(rng) >> 11) * (1.0 / 9007199254740992.0); }

// Exponentials as in `exp.rs`, operation by operation.
FN double exp_of(double x) {
    const double ROUND = 6755399441055744.0;
    x = x < -708.0 ? -708.0 : x;
    x = x > 708.0 ? 708.0 : x;
    double shifted = x * 1.44269504088896340735992468100189214 + ROUND;
    double k = shifted - ROUND;
    double r = x - k * 0.6931471803691238 - k * 1.9082149292705877e-10;
    double sum = 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    return sum * double_of((bits_of(shifted) + 1023) << 52);
}

FN float exp_of(float x) {
    const float ROUND = 12582912.0f;
    x = x < -87.0f ? -87.0f : x;
    x = x > 87.0f ? 87.0f : x;
    float shifted = x * 1.44269504088896340735992468100189214f + ROUND;
    float k = shifted - ROUND;
    float r = x - k * (355.0f / 512.0f) - k * -2.1219444e-4f;
    float sum = 1.0f / 5040.0f;
    sum = sum * r + 1.0f / 720.0f;
    sum = sum * r + 1.0f / 120.0f;
    sum = sum * r + 1.0f / 24.0f;
    sum = sum * r + 1.0f / 6.0f;
    sum = sum * r + 0.5f;
    sum = sum * r + 1.0f;
    sum = sum * r + 1.0f;
    return sum * float_of((bits_of(shifted) + 127) << 23);
}
