// What NPPA learns of sequences (`policy/nppa.rs`). A lane alone would wait for memory hundreds of times in a simulation, and all
// others for it. So the threads of a warp work together on the simulation of one lane: each takes one of its decisions.
//
// The weights after a context are a row, as in `rows.rs`: for every sixteen moves the place of a block, which exists only where a
// move was legal. Rows and blocks lie in chunks of memory that belong to a lane, stay where they are, and serve its next game again.

#if LEARNS_WEIGHTS && LEARNS_GRAMS
// Most contexts are met once, and their sequences count only after several visits. So the first decision after a context is
// kept as it was; the second one makes a row of it.
struct Single {
    Place* row;    // under way
    u32 phase, role, mv;
    float rate;
    u32 mask[MASK_WORDS];
};

// Memory of a lane is taken in chunks of so many bytes; each begins with the address of the next one.
const u32 CHUNK_HEAD = 16;
FN u32 row_bytes(const Job& job) { return (u32)sizeof(Place) * places_of_row(job); }
FN u32 chunk_size(const Job& job) {
    u32 largest = CHUNK_HEAD + (u32)rounded(row_bytes(job)) + (u32)rounded(sizeof(Single));
    return largest > 16384 ? largest : 16384;
}

// Zeros in the chunk that is being used; none if it is full. Threads may take some at the same time.
FN void* take(const Job& job, Shared& shared, u32 bytes) {
    const u32 size = (u32)rounded(bytes);
    if (shared.chunks.current == 0) return 0;
    const u32 at = fetch_add(&shared.chunks.used, size);
    if (at + size > chunk_size(job)) return 0;
    u64* taken = (u64*)(shared.chunks.current + at);
    ROLLED for (u32 word = 0; word < size / 8; word += 2) taken[word] = taken[word + 1] = 0;
    return taken;
}

// Goes on to the next chunk.
FN void next_chunk(Warp& warp, const Job& job, Shared& shared, Lane& me) {
    warp.each([&](u32 lane, Lane&) {
        if (lane != 0) return;
        Chunks& chunks = shared.chunks;
        u8** link = chunks.current == 0 ? &chunks.first : (u8**)chunks.current;
        if (*link == 0) *link = allocate(job, chunk_size(job));
        shared.has_failed = *link == 0 ? NO_MEMORY : NO_FAILURE;
        if (*link == 0) return;
        chunks.current = *link;
        chunks.used = CHUNK_HEAD;
    });
    me.has_failed = shared.has_failed;
    warp.have_read();
}

// Makes the blocks of moves that have none; says whether there was room.
OUTLINE bool make_blocks(const Job& job, Shared& shared, Place* row, LegalMoves legal) {
    Columns columns = {legal.mask, legal.words, 0, legal.mask[0]};
    ROLLED for (u32 column; (column = next_column(columns)) != NONE;) {
        Place& place = row[read(legal.columns + column) / BLOCK];
        if (place != 0) continue;
        const Block* block = (Block*)take(job, shared, sizeof(Block));
        if (block == 0) return false;
        place = place_of(block);
    }
    return true;
}

// The row that a single decision makes: all weights were 0, so all exponentials 1. None if there is no room; what was made of it
// stays.
FN Place* row_of_single(const Job& job, Shared& shared, Single& single) {
    if (single.row == 0) single.row = (Place*)take(job, shared, row_bytes(job));
    if (single.row == 0) return 0;
    const RoleTable& moves = table_of(job).phases[single.phase].roles[single.role];
    const LegalMoves legal = {single.mask, job.sheet + moves.moves, moves.words};
    if (!make_blocks(job, shared, single.row, legal)) return 0;
    const float share = -single.rate / (float)count_of(legal);
    Columns columns = {legal.mask, legal.words, 0, legal.mask[0]};
    ROLLED for (u32 column; (column = next_column(columns)) != NONE;) {
        const u32 mv = read(legal.columns + column);
        Block* block = block_at(single.row[mv / BLOCK]);
        block->weights[mv % BLOCK] = 0.0f + (mv == single.mv ? share + single.rate : share);
        block->visits[mv % BLOCK] = 1;
    }
    return single.row;
}

FN u32 move_of(const Job& job, const Choice& choice) { return choice.code - table_of(job).first_code[choice.role]; }

FN Single* single_of(const Job& job, Shared& shared, const Lane& me, u32 index, float rate) {
    const Choice choice = choices_of(me)[index];
    const LegalMoves legal = legal_at(job, me, index);
    Single* single = (Single*)take(job, shared, (u32)sizeof(Single) - 4 * (MASK_WORDS - legal.words));
    if (single == 0) return 0;
    single->phase = (me.root_phase + choice.step) % PHASES;
    single->role = choice.role;
    single->mv = move_of(job, choice);
    single->rate = rate;
    ROLLED for (u32 word = 0; word < legal.words; word++) single->mask[word] = legal.mask[word];
    return single;
}

// A context that a decision teaches.
struct Lesson {
    ContextSlot* slot;
    u32 index;
    float rate;
};

FN bool is_shared(const Lane& me, const Lesson& lesson) { return lesson.slot->twice == me.stamp; }

// Finds or makes the row of a lesson; none if the decision is the first after its context. Says whether there was room.
FN bool prepare(const Job& job, Shared& shared, const Lane& me, const Lesson& lesson, Place*& row) {
    const Player& player = player_of(job, me);
    u8*& known = lesson.slot->row;
    row = 0;
    if (known == 0) {
        const bool is_rare = player.keep == 1.0 && player.min_visits >= 2 && !is_shared(me, lesson);
        if (is_rare) {
            const Single* single = single_of(job, shared, me, lesson.index, lesson.rate);
            if (single != 0) known = (u8*)single + 1;
            return single != 0;
        }
        known = (u8*)take(job, shared, row_bytes(job));
    } else if (is_single(known)) {
        Place* made = row_of_single(job, shared, *(Single*)(known - 1));
        if (made == 0) return false;
        known = (u8*)made;
    }
    row = (Place*)known;
    return row != 0;
}

// Counts a visit. What happens to visits beyond those that are enough matters only if some of them are taken away later.
FN void count_visit(const Player& player, Place* row, Place place, u32 mv) {
    if (is_ripe(place, mv) && player.keep >= 1.0) return;
    u16& visits = block_at(place)->visits[mv % BLOCK];
    visits += visits < 65535;
    if (visits >= player.min_visits) set_bits((u32*)(row + mv / BLOCK), 1u << (mv % BLOCK));
}

enum Progress { WAITS, TAUGHT, TOO_FAR };

// Applies PPA's rule to the sequences of one context. All of a simulation use the weights before it: where others of its decisions
// share the context, the changes wait. Blocks that are missing are made, if there is room: their weights are 0.
FN u32 adapt(const Job& job, Shared& shared, const Lane& me, const Lesson& lesson, Place* row, Pending* changes) {
    const Player& player = player_of(job, me);
    const LegalMoves legal = legal_at(job, me, lesson.index);
    const u32 played = move_of(job, choices_of(me)[lesson.index]);
    float sums[BLOCK], share = 0.0f;
    bool misses = false;
    for (u32 lane = 0; lane < BLOCK; lane++) sums[lane] = 0.0f;
    // First all are added up, then they change.
    ROLLED for (u32 pass = 0; pass < 2; pass++) {
        each_four(legal, [&](const u32* moves) {
            Place places[4];
            float weights[4];
            EACH_OF_FOUR(at) places[at] = moves[at] == NONE ? 0 : row[moves[at] / BLOCK];
            EACH_OF_FOUR(at) weights[at] = places[at] == 0 ? 0.0f : block_at(places[at])->weights[moves[at] % BLOCK];
            EACH_OF_FOUR(at) {
                if (moves[at] == NONE) continue;
                misses |= places[at] == 0;
                const float exp = exp_of(weights[at]);
                if (pass == 0) {
                    sums[moves[at] % BLOCK] += exp;
                    continue;
                }
                float change = exp * share;
                if (moves[at] == played) change += lesson.rate;
                float& weight = block_at(places[at])->weights[moves[at] % BLOCK];
                if (changes == 0) {
                    weight = weights[at] + change;
                } else {
                    *changes++ = Pending{&weight, change, moves[at] % WIDTH};
                }
                count_visit(player, row, places[at], moves[at]);
            }
        });
        if (pass == 1) break;
        const float sum = sum_of(sums);
        if (!is_safe(sum)) return TOO_FAR;
        if (misses && !make_blocks(job, shared, row, legal)) return WAITS;
        share = -lesson.rate / sum;
    }
    return TAUGHT;
}

// Room for so many changes more; says whether there was memory.
FN bool make_room_for_changes(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 more) {
    if (me.pending_used + more <= me.pending_room) return true;
    u32 room = 2 * (me.pending_used + more);
    warp.each([&](u32 lane, Lane&) {
        if (lane == 0) shared.store = allocate(job, sizeof(Pending) * (u64)room);
    });
    Pending* larger = (Pending*)shared.store;
    warp.have_read();
    if (larger == 0) {
        me.has_failed = NO_MEMORY;
        return false;
    }
    warp.each([&](u32 lane, Lane&) {
        ROLLED for (u32 at = lane; at < me.pending_used; at += WIDTH) larger[at] = me.pending[at];
    });
    me.pending = larger;
    me.pending_room = room;
    return true;
}

// Contexts of a decision, which have two or three moves with it.
FN bool has_context(const Job& job, const Lane& me, u32 index, u32 length, u64& context) {
    if (index == NONE) return false;
    const Choice choice = choices_of(me)[index];
    u32 before = index;
    ROLLED while (before > 0 && choices_of(me)[before - 1].step >= choice.step) before--;
    const Before found = before_move(player_of(job, me), me, choice.step, choice.role, before);
    context = length == 2 ? found.one : found.two;
    return length == 2 ? found.has_one : found.has_two;
}

// Notes the contexts that a simulation teaches, and which of them more than once.
FN void note_contexts(Warp& warp, const Job& job, Shared& shared, Lane& me) {
    ROLLED for (u32 first = 0; first < 2 * me.lesson_count; first += WIDTH) {
        if (!make_room(warp, job, shared, me, me.contexts, WIDTH)) return;
        PerLane<ContextSlot*> slot;
        PerLane<u32> is_new;
        warp.each([&](u32 lane, Lane&) {
            u64 context;
            const u32 task = first + lane;
            is_new[lane] = 0;
            slot[lane] = 0;
            if (has_context(job, me, lesson_at(me, task / 2), 2 + task % 2, context))
                slot[lane] = claim(me.contexts, context, 0, is_new[lane]);
        });
        me.contexts.used += count_ones(warp.ballot([&](u32 lane, Lane&) { return is_new[lane] != 0; }));
        warp.each([&](u32 lane, Lane&) {
            if (slot[lane] != 0 && exchange(&slot[lane]->stamp, me.stamp) == me.stamp) slot[lane]->twice = me.stamp;
        });
    }
}

// Where the changes of each thread wait; those of a context that is not shared do not wait.
FN void place_changes(Warp& warp, const Job& job, Shared& shared, Lane& me, PerLane<Lesson>& lessons, u32 waiting,
                      PerLane<Pending*>& changes) {
    warp.each([&](u32 lane, Lane&) {
        shared.told[lane] = waiting >> lane & 1 ? count_of(legal_at(job, me, lessons[lane].index)) : 0;
    });
    PerLane<u32> before;
    u32 all = 0;
    warp.each([&](u32 lane, Lane&) {
        before[lane] = all = 0;
        ROLLED for (u32 other = 0; other < WIDTH; other++) {
            before[lane] += other < lane ? shared.told[other] : 0;
            all += shared.told[other];
        }
    });
    if (!make_room_for_changes(warp, job, shared, me, all)) return;
    warp.each([&](u32 lane, Lane&) {
        if (waiting >> lane & 1) changes[lane] = me.pending + me.pending_used + before[lane];
    });
    me.pending_used += all;
}

// Up to 32 decisions teach their contexts of one length, each by a thread. Those that share a context do so one after the other.
FN void teach(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 first, u32 length) {
    PerLane<Lesson> lessons;
    PerLane<Pending*> changes;
    warp.each([&](u32 lane, Lane&) {
        u64 context;
        const u32 index = lesson_at(me, first + lane);
        lessons[lane] = Lesson{0, index, 0.0f};
        changes[lane] = 0;
        if (!has_context(job, me, index, length, context)) return;
        lessons[lane].slot = seek(me.contexts, context, 0);
        lessons[lane].rate = (float)rate_of(job, me, choices_of(me)[index]);
    });
    u32 open = warp.ballot([&](u32 lane, Lane&) { return lessons[lane].slot != 0; });
    const u32 waiting = warp.ballot([&](u32 lane, Lane&) { return lessons[lane].slot != 0 && is_shared(me, lessons[lane]); });
    if (waiting != 0) place_changes(warp, job, shared, me, lessons, waiting, changes);
    ROLLED while (open != 0 && !me.has_failed) {
        const u32 alone = open & ~waiting, now = alone != 0 ? alone : open & (0 - open);
        PerLane<Place*> row;
        PerLane<u32> progress;
        warp.each([&](u32 lane, Lane&) {
            progress[lane] = (now >> lane & 1) && prepare(job, shared, me, lessons[lane], row[lane]) ? TAUGHT : WAITS;
        });
        warp.each([&](u32 lane, Lane&) {
            if (progress[lane] == TAUGHT && row[lane] != 0)
                progress[lane] = adapt(job, shared, me, lessons[lane], row[lane], changes[lane]);
        });
        open &= ~warp.ballot([&](u32 lane, Lane&) { return progress[lane] == TAUGHT; });
        if (warp.ballot([&](u32 lane, Lane&) { return progress[lane] == TOO_FAR; })) {
            me.has_failed = BEYOND;
        } else if (open & now) {
            next_chunk(warp, job, shared, me);
        }
    }
}

// All threads learn the sequences of one lane.
FN void learn_sequences(Warp& warp, const Job& job, Shared& shared, Lane& me) {
    me.stamp++;
    warp.each([&](u32 lane, Lane&) {
        if (lane == 0) shared.chunks = me.chunks;
    });
    note_contexts(warp, job, shared, me);
    ROLLED for (u32 first = 0; first < me.lesson_count && !me.has_failed; first += WIDTH) {
        ROLLED for (u32 length = 2; length <= 3 && !me.has_failed; length++) teach(warp, job, shared, me, first, length);
    }
    me.chunks = shared.chunks;
    // Those of a weight are done in their order, by the same thread.
    warp.each([&](u32 lane, Lane&) {
        ROLLED for (u32 at = 0; at < me.pending_used; at++) {
            const Pending& pending = me.pending[at];
            if (pending.lane == lane) *pending.weight += pending.change;
        }
    });
    me.pending_used = 0;
}
#endif
