// What NPPA learns of sequences (`policy/nppa.rs`). A lane alone would wait for memory hundreds of times in a simulation, and all
// others for it. So the lanes of a warp work together on the sequences of one of them: each takes one of the moves that were legal.
// Those after the same context lie side by side in memory.

#if LEARNS_WEIGHTS && LEARNS_GRAMS
// The weight of a sequence before the simulation that is being learned from.
FN float weight_before(const Lane& me, const GramSlot* slot) {
    return slot->changed == me.stamp ? slot->before : slot->value;
}

// Most contexts are met once, and their sequences count only after several visits. So the first decision after a context is
// kept as it was, under the number ONCE: in `visits` the move played, role and phase, in `value` the rate, in `before` where its
// legal moves are. The second one makes sequences of it.
const u32 ONCE = (u32)NO_CODE - 1;
const u32 KEPT = 1u << 31;

// Room for so many sequences more; says whether there was memory.
FN bool make_room(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 more) {
    ROLLED while (3 * (u64)me.grams.size < 4 * (me.grams.used + (u64)more)) {
        Grams larger = grown(warp, job, shared, me.grams, player_of(job, me).first_grams);
        if (larger.slots == 0) {
            me.has_failed = NO_MEMORY;
            return false;
        }
        me.grams = larger;
    }
    return true;
}

// Room for one more decision that is kept; says whether there was memory.
FN bool make_room_once(Warp& warp, const Job& job, Shared& shared, Lane& me) {
    if (me.once_used < me.once_room) return true;
    u32 room = me.once_room == 0 ? 1024 : 2 * me.once_room;
    warp.each([&](u32 lane, Lane&) {
        if (lane == 0) shared.store = allocate(job, 4 * (u64)room * MASK_WORDS);
    });
    u32* larger = (u32*)shared.store;
    warp.have_read();
    if (larger == 0) {
        me.has_failed = NO_MEMORY;
        return false;
    }
    const u32* masks = me.once;
    u64 words = (u64)me.once_room * MASK_WORDS;
    warp.each([&](u32 lane, Lane&) {
        ROLLED for (u64 word = lane; word < words; word += WIDTH) larger[word] = masks[word];
    });
    me.once = larger;
    me.once_room = room;
    return true;
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

// What is known of a sequence, made if absent; other lanes make others at the same time, and there is room for all. `seen` is what
// was in its first place.
FN GramSlot* place_among(const Grams& grams, u64 context, u32 code, u64 seen, u32& is_new) {
    const u64 key = gram_key(grams, context, code);
    is_new = 0;
    ROLLED for (u64 probe = 0;; probe++) {
        GramSlot* slot = grams.slots + gram_place(grams, context, code, probe);
        if (probe > 0) seen = slot->key;
        ROLLED while (is_free(grams, seen)) {
            u64 before = set_if(&slot->key, seen, key);
            if (before == seen) {
                slot->visits = slot->changed = 0;
                slot->value = slot->before = 0.0f;
                is_new = 1;
                return slot;
            }
            seen = before;
        }
        if (seen == key) return slot;
    }
}

// Keeps the first decision after a context; whether that is all there is to do.
FN bool keep_once(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 index, u64 context, float rate) {
    if (!make_room(warp, job, shared, me, 1)) return true;
    GramSlot* slot = seek(me.grams, context, ONCE);
    const bool is_new = is_free(me.grams, slot->key), is_known = !is_new && slot->visits != 0;
    warp.have_read();
    if (is_known) return false;
    const Choice choice = choices_of(me)[index];
    const bool is_kept = choice.node == NONE;
    if (is_kept && !make_room_once(warp, job, shared, me)) return true;
    const u32 phase = (me.root_phase + choice.step) % PHASES, mv = choice.code - table_of(job).first_code[choice.role];
    const u32 words = is_kept ? table_of(job).phases[phase].roles[choice.role].words : 0;
    u32* kept = me.once + (u64)me.once_used * MASK_WORDS;
    const u32* mask = mask_of(me, index);
    warp.each([&](u32 lane, Lane&) {
        ROLLED for (u32 word = lane; word < words; word += WIDTH) kept[word] = mask[word];
        if (lane != 0) return;
        u32 what = is_kept ? KEPT | (phase * ROLES + choice.role) << CODE_BITS | mv : 1;
        *slot = GramSlot{gram_key(me.grams, context, ONCE), what, rate, float_of(me.once_used), me.stamp};
    });
    me.grams.used += is_new;
    me.once_used += is_kept;
    return is_kept;
}

// Makes sequences of a decision that was kept: all weights were 0, so all exponentials 1.
FN void unfold(Warp& warp, const Job& job, Shared& shared, Lane& me, u64 context) {
    const GramSlot kept = *seek(me.grams, context, ONCE);
    warp.have_read();
    if (!(kept.visits & KEPT)) return;
    const u32 played = kept.visits & (u32)NO_CODE, where = (kept.visits & ~KEPT) >> CODE_BITS;
    const RoleTable& moves = table_of(job).phases[where / ROLES].roles[where % ROLES];
    const LegalMoves legal = legal_in(job, moves, me.once + (u64)bits_of(kept.before) * MASK_WORDS);
    if (!make_room(warp, job, shared, me, legal.count)) return;
    const float share = -kept.value / (float)legal.count;
    ROLLED for (u32 first = 0; first < legal.count; first += WIDTH) {
        PerLane<u32> is_new;
        warp.each([&](u32 lane, Lane&) {
            is_new[lane] = 0;
            u32 mv = nth_of(legal, first + lane);
            if (mv == NONE) return;
            u64 seen = me.grams.slots[gram_place(me.grams, context, mv, 0)].key;
            GramSlot* slot = place_among(me.grams, context, mv, seen, is_new[lane]);
            slot->value = 0.0f + (mv == played ? share + kept.value : share);
            slot->visits = 1;
            slot->before = 0.0f;
            slot->changed = kept.changed;
        });
        me.grams.used += count_ones(warp.ballot([&](u32 lane, Lane&) { return is_new[lane] != 0; }));
    }
    GramSlot* slot = seek(me.grams, context, ONCE);
    warp.each([&](u32 lane, Lane&) {
        if (lane == 0) slot->visits = 1;
    });
}

// A legal move, and what is known of it after a context.
struct Sequence {
    GramSlot* slot;
    u32 mv;
    float weight, exp;    // before the simulation
    u32 is_new;
};

// Sequences that a lane looks up at once.
const u32 AT_ONCE = 2;
const u32 GROUP = AT_ONCE * WIDTH;

// Looks up the legal moves from `first` on, so many as a group has.
FN void look_up(Warp& warp, Lane& me, u64 context, const LegalMoves& legal, u32 first, PerLane<Sequence>* found) {
    warp.each([&](u32 lane, Lane&) {
        u64 seen[AT_ONCE];
        EACH_OF(AT_ONCE, row) {
            Sequence& sequence = found[row][lane];
            sequence.is_new = 0;
            sequence.mv = nth_of(legal, first + row * WIDTH + lane);
            if (sequence.mv != NONE) seen[row] = me.grams.slots[gram_place(me.grams, context, sequence.mv, 0)].key;
        }
        EACH_OF(AT_ONCE, row) {
            Sequence& sequence = found[row][lane];
            if (sequence.mv == NONE) continue;
            sequence.slot = place_among(me.grams, context, sequence.mv, seen[row], sequence.is_new);
            sequence.weight = weight_before(me, sequence.slot);
            sequence.exp = exp_of(sequence.weight);
        }
    });
    EACH_OF(AT_ONCE, row) me.grams.used += count_ones(warp.ballot([&](u32 lane, Lane&) { return found[row][lane].is_new != 0; }));
}

// Adds exponentials to the sums of their blocks, in the order of the moves.
FN void add_to_sums(Warp& warp, Shared& shared, PerLane<Sequence>& found, PerLane<float>& sums) {
    warp.each([&](u32 lane, Lane&) {
        u32 mv = found[lane].mv;
        shared.told[lane] = mv == NONE ? NONE : mv % BLOCK;
        shared.exps[lane] = found[lane].exp;
    });
    warp.each([&](u32 lane, Lane&) {
        if (lane >= BLOCK) return;
        BY_FOURS for (u32 other = 0; other < WIDTH; other++) {
            if (shared.told[other] == lane) sums[lane] += shared.exps[other];
        }
    });
}

// Applies PPA's rule to the sequences of one context; all of a simulation use the weights before it.
FN void adapt_context(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 index, u64 context, float rate) {
    const Player& player = player_of(job, me);
    if (player.keep == 1.0 && player.min_visits >= 2) {
        if (keep_once(warp, job, shared, me, index, context, rate)) return;
        unfold(warp, job, shared, me, context);
        if (me.has_failed) return;
    }
    const LegalMoves legal = legal_at(job, me, index);
    if (!make_room(warp, job, shared, me, legal.count)) return;
    PerLane<Sequence> found[AT_ONCE];
    PerLane<float> sums;
    warp.each([&](u32 lane, Lane&) { sums[lane] = 0.0f; });
    ROLLED for (u32 first = 0; first < legal.count; first += GROUP) {
        look_up(warp, me, context, legal, first, found);
        EACH_OF(AT_ONCE, row) {
            if (first + row * WIDTH < legal.count) add_to_sums(warp, shared, found[row], sums);
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
    ROLLED for (u32 first = 0; first < legal.count; first += GROUP) {
        if (legal.count > GROUP) look_up(warp, me, context, legal, first, found);
        warp.each([&](u32 lane, Lane&) {
            EACH_OF(AT_ONCE, row) {
                const Sequence& sequence = found[row][lane];
                if (sequence.mv == NONE) continue;
                float change = sequence.exp * share;
                if (sequence.mv == played) change += rate;
                GramSlot& slot = *sequence.slot;
                slot.before = sequence.weight;
                slot.changed = me.stamp;
                slot.value += change;
                slot.visits += slot.visits < 65535;
            }
        });
    }
}

// A decision that is learned from: its contexts, and how much.
struct Lesson {
    u64 one, two;
    double rate;
    u32 has_one, has_two;
};

FN Lesson lesson_of(const Job& job, const Lane& me, u32 index) {
    Lesson lesson = {0, 0, 0.0, 0, 0};
    const Choice& choice = choices_of(me)[index];
    if (!has_rate(job, me, choice, lesson.rate)) return lesson;
    u32 before = index;
    ROLLED while (before > 0 && choices_of(me)[before - 1].step >= choice.step) before--;
    Contexts found = contexts(player_of(job, me), me, choice.step, choice.role, before);
    lesson.one = found.one;
    lesson.two = found.two;
    lesson.has_one = found.has_one;
    lesson.has_two = found.has_two;
    return lesson;
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
    me.grams = warp.of(owner, [](const Lane& own) { return own.grams; });
    me.once = warp.of(owner, [](const Lane& own) { return own.once; });
    me.once_used = warp.of(owner, [](const Lane& own) { return own.once_used; });
    me.once_room = warp.of(owner, [](const Lane& own) { return own.once_room; });
    EACH_ROLE(role) me.scores[role] = warp.of(owner, [&](const Lane& own) { return own.scores[role]; });
    return me;
}

// All lanes learn the sequences of one.
FN void learn_sequences_of(Warp& warp, const Job& job, Shared& shared, u32 owner) {
    Lane me = learner(warp, owner);
    me.stamp++;
    ROLLED for (u32 first = 0; first < me.choice_count && !me.has_failed; first += WIDTH) {
        PerLane<Lesson> lessons;
        warp.each([&](u32 lane, Lane&) {
            Lesson& lesson = lessons[lane];
            lesson = first + lane < me.choice_count ? lesson_of(job, me, first + lane) : Lesson{0, 0, 0.0, 0, 0};
            if (lesson.has_one) prefetch_gram(me.grams, lesson.one, ONCE);
            if (lesson.has_two) prefetch_gram(me.grams, lesson.two, ONCE);
        });
        u32 teaching = warp.ballot([&](u32 lane, Lane&) { return lessons[lane].has_one != 0 || lessons[lane].has_two != 0; });
        ROLLED for (; teaching != 0 && !me.has_failed; teaching &= teaching - 1) {
            const u32 lane = lowest(teaching);
            const Lesson lesson = told(lessons, lane);
            ROLLED for (u32 length = 1; length <= 2 && !me.has_failed; length++) {
                if (length == 1 ? lesson.has_one : lesson.has_two)
                    adapt_context(warp, job, shared, me, first + lane, length == 1 ? lesson.one : lesson.two, (float)lesson.rate);
            }
        }
    }
    warp.each([&](u32 lane, Lane& own) {
        if (lane != owner) return;
        own.stamp = me.stamp;
        own.grams = me.grams;
        own.once = me.once;
        own.once_used = me.once_used;
        own.once_room = me.once_room;
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

