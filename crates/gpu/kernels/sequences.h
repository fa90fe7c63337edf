// What NPPA learns of sequences (`policy/nppa.rs`). A lane alone would wait for memory hundreds of times in a simulation, and all
// others for it. So the lanes of a warp work together on the sequences of one of them: each takes one of the moves that were legal.
//
// The weights after a context are a row, as in `rows.rs`: for every sixteen moves the place of a block, which exists only where a
// move was legal. Rows and blocks lie in chunks of memory that belong to a lane, stay where they are, and serve its next game again.

#if LEARNS_WEIGHTS && LEARNS_GRAMS
// Memory of a lane is taken in chunks of so many bytes; each begins with the address of the next one.
const u32 CHUNK_HEAD = 16;
FN u32 chunk_size(const Job& job) {
    u32 largest = CHUNK_HEAD + (u32)sizeof(Place) * places_of_row(job) + 16 + 4 * MASK_WORDS;
    return largest > 16384 ? (u32)rounded(largest) : 16384;
}

// The next chunk; none if there is no memory.
FN u8* next_chunk(Warp& warp, const Job& job, Shared& shared, Lane& me) {
    u8** link = me.chunk == 0 ? &me.first_chunk : (u8**)me.chunk;
    u8* next = *link;
    warp.have_read();
    if (next != 0) return next;
    warp.each([&](u32 lane, Lane&) {
        if (lane == 0) shared.store = allocate(job, chunk_size(job));
    });
    next = shared.store;
    warp.have_read();
    if (next == 0) {
        me.has_failed = NO_MEMORY;
    } else if (me.chunk == 0) {
        me.first_chunk = next;
    } else {
        warp.each([&](u32 lane, Lane&) {
            if (lane == 0) *link = next;
        });
    }
    return next;
}

// So many words of zeros; none if there is no memory.
FN u32* take(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 words) {
    u32 bytes = (u32)rounded(4 * words);
    if (me.chunk == 0 || me.chunk_used + bytes > chunk_size(job)) {
        u8* next = next_chunk(warp, job, shared, me);
        if (next == 0) return 0;
        me.chunk = next;
        me.chunk_used = CHUNK_HEAD;
    }
    u32* taken = (u32*)(me.chunk + me.chunk_used);
    me.chunk_used += bytes;
    warp.each([&](u32 lane, Lane&) {
        ROLLED for (u32 word = lane; word < words; word += WIDTH) taken[word] = 0;
    });
    return taken;
}

// The moves that were legal at a decision: the arms of a node, or the bits of a mask.
struct LegalMoves {
    const u32* arms;
    const u32 *mask, *columns;
    u32 words, count;
};

FN LegalMoves legal_in(const Job& job, const RoleTable& moves, const u32* mask) {
    LegalMoves legal = {0, mask, job.sheet + moves.moves, moves.words, 0};
    ROLLED for (u32 word = 0; word < legal.words; word++) legal.count += count_ones(mask[word]);
    return legal;
}

FN LegalMoves legal_at(const Job& job, const Lane& me, u32 index) {
    const Choice& choice = choices_of(me)[index];
    if (choice.node == NONE) {
        const PhaseTable& phase = table_of(job).phases[(me.root_phase + choice.step) % PHASES];
        return legal_in(job, phase.roles[choice.role], mask_of(me, index));
    }
    const Node& node = me.tree.nodes[choice.node];
    return LegalMoves{me.tree.moves + first_arm(node, choice.role), 0, 0, 0, node.counts[choice.role]};
}

// The legal move that has `nth` others before it; NONE behind the last.
FN u32 nth_of(const LegalMoves& legal, u32 nth) {
    if (nth >= legal.count) return NONE;
    if (legal.arms != 0) return legal.arms[nth];
    ROLLED for (u32 word = 0;; word++) {
        u32 bits = legal.mask[word], here = count_ones(bits);
        if (nth < here) return read(legal.columns + WIDTH * word + nth_bit(bits, nth));
        nth -= here;
    }
}

// A legal move, and what is known of it after a context before the simulation.
struct Sequence {
    Place place;
    u32 mv;
    float exp;
};

// Sequences that a lane looks up at once.
const u32 AT_ONCE = 2;
const u32 GROUP = AT_ONCE * WIDTH;

// The legal moves from `first` on, so many as a group has.
FN void list_moves(Warp& warp, const LegalMoves& legal, u32 first, PerLane<Sequence>* group) {
    warp.each([&](u32 lane, Lane&) {
        EACH_OF(AT_ONCE, row) group[row][lane].mv = nth_of(legal, first + row * WIDTH + lane);
    });
}

// Finds the blocks of moves; makes those that are not there.
FN void find_blocks(Warp& warp, const Job& job, Shared& shared, Lane& me, Place* row, PerLane<Sequence>& moves) {
    warp.each([&](u32 lane, Lane&) {
        Sequence& sequence = moves[lane];
        shared.told[lane] = sequence.mv == NONE ? NONE : sequence.mv / BLOCK;
        if (sequence.mv != NONE) sequence.place = row[sequence.mv / BLOCK];
    });
    // The moves ascend, so that those of a block are neighbours.
    u32 missing = warp.ballot([&](u32 lane, Lane&) {
        bool is_first = lane == 0 || shared.told[lane - 1] != shared.told[lane];
        return moves[lane].mv != NONE && moves[lane].place == 0 && is_first;
    });
    if (missing == 0) return;
    ROLLED for (; missing != 0; missing &= missing - 1) {
        const u32 number = shared.told[lowest(missing)];
        Block* block = (Block*)take(warp, job, shared, me, sizeof(Block) / 4);
        if (block == 0) return;
        warp.each([&](u32 lane, Lane&) {
            if (lane == 0) row[number] = place_of(block);
        });
    }
    warp.each([&](u32 lane, Lane&) {
        Sequence& sequence = moves[lane];
        if (sequence.mv != NONE) sequence.place = row[sequence.mv / BLOCK];
    });
}

FN float& weight_of(const Sequence& sequence) { return block_at(sequence.place)->weights[sequence.mv % BLOCK]; }

// Looks up a group of legal moves in a row.
FN void look_up(Warp& warp, const Job& job, Shared& shared, Lane& me, Place* row, u32 count, PerLane<Sequence>* group) {
    EACH_OF(AT_ONCE, part) {
        if (part * WIDTH < count) find_blocks(warp, job, shared, me, row, group[part]);
    }
    if (me.has_failed) return;
    warp.each([&](u32 lane, Lane&) {
        float weights[AT_ONCE];
        EACH_OF(AT_ONCE, part) {
            if (group[part][lane].mv != NONE) weights[part] = weight_of(group[part][lane]);
        }
        EACH_OF(AT_ONCE, part) {
            if (group[part][lane].mv != NONE) group[part][lane].exp = exp_of(weights[part]);
        }
    });
}

// Adds exponentials to the sums of their places in a block, in the order of the moves.
FN void add_to_sums(Warp& warp, Shared& shared, PerLane<Sequence>& moves, PerLane<float>& sums) {
    u32 bits[4];
    EACH_OF_FOUR(bit) bits[bit] = warp.ballot([&](u32 lane, Lane&) { return moves[lane].mv >> bit & 1; });
    const u32 legal = warp.ballot([&](u32 lane, Lane&) { return moves[lane].mv != NONE; });
    warp.each([&](u32 lane, Lane&) { shared.exps[lane] = moves[lane].exp; });
    warp.each([&](u32 lane, Lane&) {
        if (lane >= BLOCK) return;
        u32 here = legal;
        EACH_OF_FOUR(bit) here &= lane >> bit & 1 ? bits[bit] : ~bits[bit];
        ROLLED for (; here != 0; here &= here - 1) sums[lane] += shared.exps[lowest(here)];
    });
}

// A decision that is learned from: its contexts, and how much.
struct Lesson {
    u64 one, two;
    float rate;
    u32 has_one, has_two;
};

FN Lesson lesson_of(const Job& job, const Lane& me, u32 index) {
    Lesson lesson = {0, 0, 0.0f, 0, 0};
    if (index >= me.choice_count) return lesson;
    const Choice& choice = choices_of(me)[index];
    double rate;
    if (!has_rate(job, me, choice, rate)) return lesson;
    u32 before = index;
    ROLLED while (before > 0 && choices_of(me)[before - 1].step >= choice.step) before--;
    Before found = before_move(player_of(job, me), me, choice.step, choice.role, before);
    return Lesson{found.one, found.two, (float)rate, found.has_one, found.has_two};
}

// Room in the table for so many contexts more; says whether there was memory.
FN bool make_room(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 more) {
    ROLLED while (3 * (u64)me.contexts.size < 4 * (me.contexts.used + (u64)more)) {
        Contexts larger = grown(warp, job, shared, me.contexts, player_of(job, me).first_grams);
        if (larger.slots == 0) {
            me.has_failed = NO_MEMORY;
            return false;
        }
        me.contexts = larger;
    }
    return true;
}

// The place of a context, taken if it is new; other lanes take others at the same time, and there is room for all.
FN ContextSlot* claim(const Contexts& contexts, u64 context, u32& is_new) {
    const u64 key = gram_key(contexts, context, 0);
    ROLLED for (u64 probe = 0;; probe++) {
        ContextSlot* slot = contexts.slots + gram_place(contexts, context, 0, probe);
        u64 seen = slot->key;
        ROLLED while (is_free(contexts, seen)) {
            u64 before = set_if(&slot->key, seen, key);
            if (before == seen) {
                slot->stamp = slot->twice = 0;
                slot->row = 0;
                is_new++;
                return slot;
            }
            seen = before;
        }
        if (seen == key) return slot;
    }
}

// Notes the contexts that a simulation teaches, and which of them more than once.
FN void note_contexts(Warp& warp, const Job& job, Shared& shared, Lane& me) {
    ROLLED for (u32 first = 0; first < me.choice_count; first += WIDTH) {
        if (!make_room(warp, job, shared, me, 2 * WIDTH)) return;
        PerLane<Lesson> lessons;
        PerLane<ContextSlot*> one, two;
        PerLane<u32> is_new;
        warp.each([&](u32 lane, Lane&) {
            Lesson& lesson = lessons[lane];
            lesson = lesson_of(job, me, first + lane);
            is_new[lane] = 0;
            if (lesson.has_two) prefetch_gram(me.contexts, lesson.two, 0);
            one[lane] = lesson.has_one ? claim(me.contexts, lesson.one, is_new[lane]) : 0;
            two[lane] = lesson.has_two ? claim(me.contexts, lesson.two, is_new[lane]) : 0;
        });
        EACH_OF(2, bit) me.contexts.used += count_ones(warp.ballot([&](u32 lane, Lane&) { return is_new[lane] >> bit & 1; })) << bit;
        warp.each([&](u32 lane, Lane&) {
            if (one[lane] != 0 && exchange(&one[lane]->stamp, me.stamp) == me.stamp) one[lane]->twice = me.stamp;
            if (two[lane] != 0 && exchange(&two[lane]->stamp, me.stamp) == me.stamp) two[lane]->twice = me.stamp;
        });
    }
}

// Most contexts are met once, and their sequences count only after several visits. So the first decision after a context is
// kept as it was; the second one makes a row of it.
struct Single {
    u32 phase, role, mv;
    float rate;
    u32 mask[MASK_WORDS];
};

FN u8* keep_single(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 index, float rate) {
    const Choice choice = choices_of(me)[index];
    const u32 phase = (me.root_phase + choice.step) % PHASES;
    const u32 words = table_of(job).phases[phase].roles[choice.role].words;
    Single* single = (Single*)take(warp, job, shared, me, 4 + words);
    if (single == 0) return 0;
    const u32* mask = mask_of(me, index);
    warp.each([&](u32 lane, Lane&) {
        ROLLED for (u32 word = lane; word < words; word += WIDTH) single->mask[word] = mask[word];
        if (lane != 0) return;
        single->phase = phase;
        single->role = choice.role;
        single->mv = choice.code - table_of(job).first_code[choice.role];
        single->rate = rate;
    });
    return (u8*)single + 1;
}

FN Place* new_row(Warp& warp, const Job& job, Shared& shared, Lane& me) {
    return (Place*)take(warp, job, shared, me, places_of_row(job) * (u32)sizeof(Place) / 4);
}

// The row that a single decision makes: all weights were 0, so all exponentials 1.
FN Place* row_of_single(Warp& warp, const Job& job, Shared& shared, Lane& me, const Single& single) {
    Place* row = new_row(warp, job, shared, me);
    if (row == 0) return 0;
    const RoleTable& moves = table_of(job).phases[single.phase].roles[single.role];
    const LegalMoves legal = legal_in(job, moves, single.mask);
    const float share = -single.rate / (float)legal.count;
    ROLLED for (u32 first = 0; first < legal.count; first += WIDTH) {
        PerLane<Sequence> found;
        warp.each([&](u32 lane, Lane&) { found[lane].mv = nth_of(legal, first + lane); });
        find_blocks(warp, job, shared, me, row, found);
        if (me.has_failed) return 0;
        warp.each([&](u32 lane, Lane&) {
            const Sequence& sequence = found[lane];
            if (sequence.mv == NONE) return;
            weight_of(sequence) = 0.0f + (sequence.mv == single.mv ? share + single.rate : share);
            block_at(sequence.place)->visits[sequence.mv % BLOCK] = 1;
        });
    }
    return row;
}

// The row of a context that a decision teaches; none if there is no more to do.
FN Place* row_for(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 index, ContextSlot* slot, float rate) {
    const ContextSlot known = *slot;
    warp.have_read();
    if (known.row != 0 && !is_single(known.row)) return (Place*)known.row;
    const Player& player = player_of(job, me);
    const bool is_rare = player.keep == 1.0 && player.min_visits >= 2 && known.twice != me.stamp;
    const bool is_first = known.row == 0 && is_rare && choices_of(me)[index].node == NONE;
    Place* row = 0;
    u8* kept = 0;
    if (is_first) {
        kept = keep_single(warp, job, shared, me, index, rate);
    } else {
        row = known.row == 0 ? new_row(warp, job, shared, me) :
                               row_of_single(warp, job, shared, me, *(const Single*)(known.row - 1));
        kept = (u8*)row;
    }
    warp.each([&](u32 lane, Lane&) {
        if (lane == 0) slot->row = kept;
    });
    return row;
}

// Counts a visit. What happens to visits beyond those that are enough matters only if some of them are taken away later.
FN void count_visit(const Player& player, Place* row, const Sequence& sequence) {
    if (is_ripe(sequence.place, sequence.mv) && player.keep >= 1.0) return;
    u16& visits = block_at(sequence.place)->visits[sequence.mv % BLOCK];
    visits += visits < 65535;
    if (visits >= player.min_visits) set_bits((u32*)(row + sequence.mv / BLOCK), 1u << (sequence.mv % BLOCK));
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

// Applies PPA's rule to the sequences of one context; all of a simulation use the weights before it. `group` has the first legal
// moves.
FN void adapt_context(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 index, const LegalMoves& legal, ContextSlot* slot,
                      float rate, PerLane<Sequence>* group) {
    const Player& player = player_of(job, me);
    Place* row = row_for(warp, job, shared, me, index, slot, rate);
    if (row == 0) return;
    PerLane<float> sums;
    warp.each([&](u32 lane, Lane&) { sums[lane] = 0.0f; });
    ROLLED for (u32 first = 0; first < legal.count; first += GROUP) {
        if (legal.count > GROUP) list_moves(warp, legal, first, group);
        look_up(warp, job, shared, me, row, legal.count - first, group);
        if (me.has_failed) return;
        EACH_OF(AT_ONCE, part) {
            if (first + part * WIDTH < legal.count) add_to_sums(warp, shared, group[part], sums);
        }
    }
    float all[BLOCK];
    EACH_OF(BLOCK, lane) all[lane] = told(sums, lane);
    const float sum = sum_of(all);
    if (!is_safe(sum)) {
        me.has_failed = BEYOND;
        return;
    }
    const float share = -rate / sum;
    const Choice& choice = choices_of(me)[index];
    const u32 played = choice.code - table_of(job).first_code[choice.role];
    const bool waits = slot->twice == me.stamp;
    if (waits && !make_room_for_changes(warp, job, shared, me, legal.count)) return;
    ROLLED for (u32 first = 0; first < legal.count; first += GROUP) {
        if (legal.count > GROUP) {
            list_moves(warp, legal, first, group);
            look_up(warp, job, shared, me, row, legal.count - first, group);
        }
        warp.each([&](u32 lane, Lane&) {
            EACH_OF(AT_ONCE, part) {
                const Sequence& sequence = group[part][lane];
                if (sequence.mv == NONE) continue;
                float change = sequence.exp * share;
                if (sequence.mv == played) change += rate;
                if (waits) {
                    u32 at = me.pending_used + first + part * WIDTH + lane;
                    me.pending[at] = Pending{&weight_of(sequence), change, sequence.mv % WIDTH};
                } else {
                    weight_of(sequence) += change;
                }
                count_visit(player, row, sequence);
            }
        });
    }
    if (waits) me.pending_used += legal.count;
}

// What all lanes need to know of the one that learns.
FN Lane learner(Warp& warp, u32 owner) {
    Lane me = {};
    me.player = warp.of(owner, [](const Lane& own) { return own.player; });
    me.root_phase = warp.of(owner, [](const Lane& own) { return own.root_phase; });
    me.walked = warp.of(owner, [](const Lane& own) { return own.walked; });
    me.choice_count = warp.of(owner, [](const Lane& own) { return own.choice_count; });
    me.stamp = warp.of(owner, [](const Lane& own) { return own.stamp; });
    me.store = warp.of(owner, [](const Lane& own) { return own.store; });
    me.tree.nodes = warp.of(owner, [](const Lane& own) { return own.tree.nodes; });
    me.tree.moves = warp.of(owner, [](const Lane& own) { return own.tree.moves; });
    me.contexts = warp.of(owner, [](const Lane& own) { return own.contexts; });
    me.first_chunk = warp.of(owner, [](const Lane& own) { return own.first_chunk; });
    me.chunk = warp.of(owner, [](const Lane& own) { return own.chunk; });
    me.chunk_used = warp.of(owner, [](const Lane& own) { return own.chunk_used; });
    me.pending = warp.of(owner, [](const Lane& own) { return own.pending; });
    me.pending_room = warp.of(owner, [](const Lane& own) { return own.pending_room; });
    EACH_ROLE(role) me.scores[role] = warp.of(owner, [&](const Lane& own) { return own.scores[role]; });
    return me;
}

// All lanes learn the sequences of one.
FN void learn_sequences_of(Warp& warp, const Job& job, Shared& shared, u32 owner) {
    Lane me = learner(warp, owner);
    me.stamp++;
    note_contexts(warp, job, shared, me);
    ROLLED for (u32 first = 0; first < me.choice_count && !me.has_failed; first += WIDTH) {
        PerLane<Lesson> lessons;
        PerLane<ContextSlot*> one, two;
        warp.each([&](u32 lane, Lane&) {
            const Lesson& lesson = lessons[lane] = lesson_of(job, me, first + lane);
            one[lane] = lesson.has_one ? seek(me.contexts, lesson.one, 0) : 0;
            two[lane] = lesson.has_two ? seek(me.contexts, lesson.two, 0) : 0;
            if (one[lane] != 0 && one[lane]->row != 0) prefetch(one[lane]->row);
            if (two[lane] != 0 && two[lane]->row != 0) prefetch(two[lane]->row);
        });
        u32 teaching = warp.ballot([&](u32 lane, Lane&) { return one[lane] != 0 || two[lane] != 0; });
        ROLLED for (; teaching != 0 && !me.has_failed; teaching &= teaching - 1) {
            const u32 lane = lowest(teaching), index = first + lane;
            const float rate = told(lessons, lane).rate;
            const LegalMoves legal = legal_at(job, me, index);
            PerLane<Sequence> group[AT_ONCE];
            if (legal.count <= GROUP) list_moves(warp, legal, 0, group);
            ROLLED for (u32 length = 2; length <= 3 && !me.has_failed; length++) {
                ContextSlot* slot = told(length == 2 ? one : two, lane);
                if (slot != 0) adapt_context(warp, job, shared, me, index, legal, slot, rate, group);
            }
        }
    }
    // Those of a weight are done in their order, by the same lane.
    warp.each([&](u32 lane, Lane&) {
        ROLLED for (u32 at = 0; at < me.pending_used; at++) {
            const Pending& pending = me.pending[at];
            if (pending.lane == lane) *pending.weight += pending.change;
        }
    });
    warp.each([&](u32 lane, Lane& own) {
        if (lane != owner) return;
        own.stamp = me.stamp;
        own.contexts = me.contexts;
        own.first_chunk = me.first_chunk;
        own.chunk = me.chunk;
        own.chunk_used = me.chunk_used;
        own.pending = me.pending;
        own.pending_room = me.pending_room;
        own.has_failed = me.has_failed;
    });
}

// Lanes at the end of a simulation learn, one after the other.
FN void learn_sequences(Warp& warp, const Job& job, Shared& shared) {
    u32 learners = warp.ballot(
        [&](u32, Lane& me) { return me.stage == OVER && !me.has_failed && player_of(job, me).main == NPPA; });
    ROLLED for (; learners != 0; learners &= learners - 1) learn_sequences_of(warp, job, shared, lowest(learners));
}
#endif
