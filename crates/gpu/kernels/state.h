// What a launch is given and what a lane remembers. The host writes the tables below word by word; see `sheet.rs`, `player.rs`.
//
// The sheet defines: HEAD_WORDS, ROLES, PHASES, FLUENTS, STATE_WORDS, SLOTS, ROW_WORDS, MASK_WORDS, CODES, MAX_MOVES, GOAL_PATIENCE,
// WIDE_OPS, INVERTED, WAYS_OUT, SIMULTANEOUS. The players of a job define: MAX_DEPTH, LEARNS_MEANS, LEARNS_WEIGHTS, LEARNS_GRAMS,
// LEARNS_REPLIES, SHARPENS, LISTS_LEGAL, FEW_PLAYERS, SAMPLES_MEANS, VISITS_ALL, DISCOUNTS, LEARNS_DIFFERENCES, COUNTS_LEAVES,
// MOST_WEIGHED, WEIGHS_OUTSIDE.

// Where a tape is, in words of the sheet.
struct TapeTable {
    u32 steps, step_count, ops;
};

// The moves that a role may have in a phase.
struct RoleTable {
    u32 moves, count;     // those that may be legal, ascending
    u32 legal;            // the slot of each that says whether it is
    u32 row, words;       // where its row is among the rows of a lane
    u32 is_fixed;         // all of them are always legal
    u32 inputs;           // by move of the game: the slot that says that it is played
};

struct PhaseTable {
    TapeTable legal, next;
    u32 terminal;
    u32 changes, change_count;    // pairs: the slot of a fluent, and that of its next value
    RoleTable roles[ROLES];
};

struct SheetTable {
    PhaseTable phases[PHASES];
    TapeTable goals;
    u32 goal_values, goal_counts[ROLES];    // pairs: value and slot, role by role
    u32 initial;                            // the initial state as a row
    u32 first_code[ROLES + 1];
    u32 moves[ROLES];                       // moves of each role; the way out, if there is one, is the last
};

// The tables are known to the compiler; what they point to is not.
#if ON_CARD
static __constant__ u32 HEAD[] = {HEAD_WORDS};
#else
static const u32 HEAD[] = {HEAD_WORDS};
#endif

enum Main { UNIFORM, MAST, NST, PPA, NPPA };
enum Unvisited { UNVISITED_RANDOM, UNVISITED_FIRST, UNVISITED_LAST, UNVISITED_POLICY };

// A player's spec.
struct Player {
    double c, fpu, band;
    double eps, tau, keep, unseen;
    double alpha, k, scale;
    // Of a search and of the first one of a game; simulations that are expected of a search.
    u64 simulations, first_simulations, steps, first_steps, expected;
    u32 searches, main, replies, keeps_replies;
    u32 unvisited, final_by_score, thinks_always, has_transpositions;
    u32 reuses, depth, pays_off, length;
    u32 min_visits, acted_order, first_nodes, first_grams;
    u32 thinks_first, learns_difference, discounts, counts_leaf;
    u32 stores_draws, padding;
};

// A game to be played: for every role its player and its seeds.
struct SeatTask {
    u64 seed;           // of its generator
    u64 random_seed;    // of a player that does not search
    u32 player, padding;
};

enum Status { UNPLAYED, PLAYED, GIVEN_UP, STARVED };

// Why a lane cannot go on.
enum Failure { NO_FAILURE, NO_MEMORY, BEYOND };

// What became of a game.
struct Result {
    double scores[ROLES];
    u64 simulations[ROLES], steps[ROLES];
    u32 status, length;
};

const u32 FIRST_PLAYERS = 16;

// What a launch is given.
struct Job {
    const u32* sheet;
    const Player* players;
    const SeatTask* tasks;    // ROLES per game
    const double* logs;       // natural logarithms of whole numbers
    const double* discounts;  // by player: the powers of its discount, DEEPEST of them
    Result* results;
    u32* moves;               // per game `history` joint moves
    u8* lanes;                // what lanes remember between launches
    u8* warps;                // the same for warps
    u8* pool;                 // memory for trees and tables, zero where nobody has been
    u64* counts;              // bytes of the pool that are taken; simulations and steps that were made
    u32* queue;               // the next game; warps that go on; searches made
    u32* values;              // room for slots, if they do not fit in shared memory
    u64 pool_size;
    u32 log_count, games, history, ticks, warp_count, searches_only;
    u32 width, padding;       // lanes of a warp that have a seat
    Player first_players[FIRST_PLAYERS];    // a copy of the first of them: what a launch is given is read faster
};

// A table by context and move, see `learn.h`.
template <class Slot> struct TableOf {
    Slot* slots;
    u32 size, used, epoch;
};

// What NST knows of a sequence of moves, or the reply to two moves.
struct alignas(16) GramSlot {
    u64 key;
    u32 visits;
    float value;    // the sum of its scores
};

// What NPPA knows of the moves after a context, see `sequences.h`.
struct ContextSlot {
    u64 key;
    u32 stamp, twice;    // the last simulation that teaches it, and the last one that does so more than once
    u8* row;
};

typedef TableOf<GramSlot> Grams;
typedef TableOf<ContextSlot> Contexts;

// A change of a weight that waits for the end of a simulation.
struct Pending {
    float* weight;
    float change;
    u32 lane;    // does it
};

struct Node {
    u64 hash;
    u32 visits, touched;
    u32 first_arm, arms;    // of all deciders one after the other; a place for a child if there are none
    u32 is_terminal, place;
    u32 counts[ROLES];      // legal moves
    u32 forced[ROLES];      // the first of them
};

struct alignas(16) Arm {
    double score;
    u32 visits, child;
};

// What MAST knows of a move.
struct alignas(16) Tally {
    double sum;
    u32 visits, padding;
};

// A child of a node with several deciders.
struct Joint {
    u64 index;
    u32 parent, child;    // the parent's number plus one; 0: free
};

struct Tree {
    Node* nodes;
    Arm* arms;
    u32* moves;      // of the arms
    u32* by_hash;    // node numbers plus one; twice as many places as nodes
    Joint* joints;
    u32 node_count, node_room, arm_count, arm_room, joint_count, joint_room;
    u32 root, step, oldest;
};

// A decision in a simulation.
struct Choice {
    u32 step, role, code;
};

// Memory in chunks that belong to a lane, of which one is being used.
struct Chunks {
    u8 *first, *current;
    u32 used;
};

enum Stage {
    NEW,         // has no memory yet
    IDLE,        // there are no more games
    FETCH,       // wants a game
    HOMING,      // waits until the initial position can be looked at
    ROOT,        // at the real position: ends the game or begins a search
    HOME,        // between two simulations
    NODE,        // at a node of the tree
    BELOW,       // below a node: the arms picked there have been played
    PLAYOUT,     // outside the tree
    OVER,        // at the end of a simulation: the scores are known
    CHOSEN,      // has chosen its move of the real game
    ADVANCE,     // all have: waits for the phase in which they can be played
    ADVANCED     // the real game has gone on
};

struct Lane {
    u32 stage, role, game, player, root_phase;
    u32 plays, is_playing, rewinds, wants_hash, is_over, is_scored, is_stuck, has_turned, is_new_game, is_crowded, has_failed;
    u32 joint[ROLES], inputs[ROLES];
    double scores[ROLES];
    u64 hash;
    Rng rng;
    u64 random_seed, simulations, steps, total_simulations, total_steps;
    u32 own_count, own_first, move;
    u32 walked, left, node, child, has_added, path_length, picked_count, trail_steps, choice_count, length;
    u32 touched_count, stamp;
    u32 new_simulations, new_steps;     // not yet in the counts of the job
    u8* store;
    Tree tree;
    Grams grams, pairs;      // of nst; replies to two moves
    // Of nppa: its rows, the memory where they are, and changes that wait.
    Contexts contexts;
    Chunks chunks;
    Pending* pending;
    u32 pending_used, pending_room;
    u32 lesson_count;        // decisions that are learned from
    u32* row;                // legal moves of all roles
};

typedef WarpOf<Lane, ROW_WORDS> Warp;

// The sixteen weights of a block and how often each was learned from. A row is a list of places, one for sixteen moves.
const u32 BLOCK = 16;

struct alignas(16) Block {
    float weights[BLOCK];
    u16 visits[BLOCK];
};

// Where a block is, and which of its moves have enough visits: where none has, the block is not touched. 0: there is none.
typedef u64 Place;

// What is asked of the sequences that end in a move, see `choose.h`.
struct Question {
    const double* singles;    // means or weights of single moves
    u64 one, two;             // contexts of one and two moves; for NPPA the rows after them, if there are any
    Grams grams;              // of NST
    u32 main, first, min_visits, lengths;
};

// Moves of several lanes that are weighed by all threads, the lane above the number, and the values that they get.
#define LEARNS_SEQUENCES (LEARNS_GRAMS && (LEARNS_MEANS || LEARNS_WEIGHTS))
struct Weighing {
#if LEARNS_SEQUENCES
    Question questions[WIDTH];
    double values[MOST_WEIGHED];
    u32 moves[MOST_WEIGHED];
#endif
};

// What the lanes of a warp tell each other, and what they leave to be swept together.
struct Shared {
    u32 told[WIDTH];
#if !WEIGHS_OUTSIDE
    Weighing weighing;
#endif
    u8* store;
    Tree tree;
    Grams grams, larger_grams;
    Contexts contexts, larger_contexts;
    Chunks chunks;
    u32 player, is_new_game, has_failed;
};

// Memory of a lane that has a fixed size.
FN constexpr u64 rounded(u64 bytes) { return (bytes + 15) / 16 * 16; }
const u64 DEEPEST = MAX_DEPTH + 2;
const u64 PATH_AT = 0;
const u64 PICKED_AT = PATH_AT + rounded(4 * DEEPEST);
const u64 TRAIL_AT = PICKED_AT + rounded(4 * DEEPEST * ROLES);
const u64 CHOICES_AT = TRAIL_AT + rounded(4 * DEEPEST * ROLES);
const u64 MASKS_AT = CHOICES_AT + rounded(sizeof(Choice) * DEEPEST * ROLES);
const u64 ROOT_MASKS_AT = MASKS_AT + (LISTS_LEGAL ? rounded(4 * DEEPEST * ROLES * MASK_WORDS) : 0);
const u64 LESSONS_AT = ROOT_MASKS_AT + (LISTS_LEGAL ? rounded(4 * ROLES * MASK_WORDS) : 0);
const u64 TALLIES_AT = LESSONS_AT + (LISTS_LEGAL ? rounded(4 * DEEPEST * ROLES) : 0);
const u64 MEANS_AT = TALLIES_AT + (LEARNS_MEANS ? sizeof(Tally) * CODES : 0);
const u64 WEIGHTS_AT = MEANS_AT + (LEARNS_MEANS ? rounded(8 * CODES) : 0);
const u64 EXP_AT = WEIGHTS_AT + (LEARNS_WEIGHTS ? rounded(8 * CODES) : 0);
const u64 SHARES_AT = EXP_AT + (LEARNS_WEIGHTS ? rounded(8 * CODES) : 0);
const u64 TOUCHED_AT = SHARES_AT + (LEARNS_WEIGHTS ? rounded(8 * CODES) : 0);
const u64 SHARP_AT = TOUCHED_AT + (LEARNS_WEIGHTS ? rounded(4 * CODES) : 0);
const u64 REPLIES_AT = SHARP_AT + (SHARPENS ? rounded(8 * CODES) : 0);
const u64 STORE_SIZE = REPLIES_AT + (LEARNS_REPLIES ? rounded(4 * CODES) : 0);

FN u32* path_of(const Lane& me) { return (u32*)(me.store + PATH_AT); }
FN u32* picked_of(const Lane& me) { return (u32*)(me.store + PICKED_AT); }
FN u32* trail_of(const Lane& me) { return (u32*)(me.store + TRAIL_AT); }
FN Choice* choices_of(const Lane& me) { return (Choice*)(me.store + CHOICES_AT); }
FN u32* mask_of(const Lane& me, u32 choice) { return (u32*)(me.store + MASKS_AT) + (u64)choice * MASK_WORDS; }
FN u32* root_mask_of(const Lane& me, u32 role) { return (u32*)(me.store + ROOT_MASKS_AT) + role * MASK_WORDS; }
FN u32* lessons_of(const Lane& me) { return (u32*)(me.store + LESSONS_AT); }
FN Tally* tallies_in(u8* store) { return (Tally*)(store + TALLIES_AT); }
FN double* means_in(u8* store) { return (double*)(store + MEANS_AT); }
FN double* weights_in(u8* store) { return (double*)(store + WEIGHTS_AT); }
FN double* exps_in(u8* store) { return (double*)(store + EXP_AT); }
FN double* shares_in(u8* store) { return (double*)(store + SHARES_AT); }
FN u32* touched_in(u8* store) { return (u32*)(store + TOUCHED_AT); }
FN double* sharp_in(u8* store) { return (double*)(store + SHARP_AT); }
FN u32* replies_in(u8* store) { return (u32*)(store + REPLIES_AT); }

FN const SheetTable& table_of(const Job&) { return *(const SheetTable*)HEAD; }
FN const Player& player_of(const Job& job, const Lane& me) {
    return FEW_PLAYERS ? job.first_players[me.player] : job.players[me.player];
}

FN bool learns(const Player& player) { return player.main >= MAST || player.replies > 0; }
FN bool lists_legal(const Player& player) { return LISTS_LEGAL && player.main >= PPA; }

// Memory that is zero; none if there is no more.
FN u8* allocate(const Job& job, u64 bytes) {
    u64 at = fetch_add(job.counts, rounded(bytes));
    if (at + bytes > job.pool_size) return 0;
#if defined(__SANITIZE_ADDRESS__)
    // Each part is guarded.
    return (u8*)calloc(bytes, 1);
#else
    return job.pool + at;
#endif
}
