// Learning: after a simulation the policies read its trail (`averages.rs`, `policy/`); after a step of the real game, and before a
// new one, the lanes of a warp sweep the tables of one lane together.

// Forgets all that a table holds. Entries of an earlier epoch count as free.
template <class Slot> FN void clear(TableOf<Slot>& table) {
    table.used = 0;
    table.epoch++;
    if (table.epoch >= 1u << (64 - 3 * CODE_BITS)) {
        ROLLED for (u32 place = 0; place < table.size; place++) table.slots[place].key = 0;
        table.epoch = 1;
    }
}

// The place of an entry, or a free one where it belongs; there is one.
template <class Slot> FN Slot* seek(const TableOf<Slot>& table, u64 context, u32 code) {
    ROLLED for (u64 probe = 0;; probe++) {
        Slot* slot = table.slots + gram_place(table, context, code, probe);
        if (slot->key == gram_key(table, context, code) || is_free(table, slot->key)) return slot;
    }
}

// An empty table that takes the place of another; without slots if there is no memory.
template <class Slot> FN TableOf<Slot> larger_than(const Job& job, const TableOf<Slot>& table, u32 first) {
    u32 size = table.size == 0 ? first : 2 * table.size;
    return TableOf<Slot>{(Slot*)allocate(job, sizeof(Slot) * (u64)size), size, 0, table.epoch};
}

// Whether an entry is kept when its table grows. A sequence without a visit is as good as absent.
FN bool is_worth_keeping(const GramSlot& slot) { return slot.visits != 0; }
FN bool is_worth_keeping(const ContextSlot&) { return true; }

template <class Slot> FN bool is_kept(const TableOf<Slot>& table, const Slot& slot) {
    return !is_free(table, slot.key) && is_worth_keeping(slot);
}

FN u64 context_in(u64 key) { return key & ((1ull << (3 * CODE_BITS)) - 1) & ~NO_CODE; }

OUTLINE bool grow(const Job& job, Grams& grams, u32 first) {
    Grams larger = larger_than(job, grams, first);
    if (larger.slots == 0) return false;
    ROLLED for (u32 place = 0; place < grams.size; place++) {
        GramSlot slot = grams.slots[place];
        if (!is_kept(grams, slot)) continue;
        *seek(larger, context_in(slot.key), (u32)(slot.key & NO_CODE)) = slot;
        larger.used++;
    }
    grams = larger;
    return true;
}

#if LEARNS_GRAMS
// One lane's share of copying a table into a larger one; how many entries it kept.
template <class Slot> FN u32 copy_entries(const TableOf<Slot>& table, const TableOf<Slot>& larger, u32 lane) {
    u32 kept = 0;
    ROLLED for (u32 first = lane; first < table.size; first += 4 * WIDTH) {
        Slot four[4];
        EACH_OF_FOUR(row) {
            if (first + row * WIDTH < table.size) four[row] = table.slots[first + row * WIDTH];
        }
        EACH_OF_FOUR(row) {
            if (first + row * WIDTH >= table.size || !is_kept(table, four[row])) continue;
            u64 probe = 0, key = four[row].key;
            Slot* slot;
            do {
                slot = larger.slots + gram_place(larger, context_in(key), (u32)(key & NO_CODE), probe++);
            } while (set_if(&slot->key, (u64)0, key) != 0);
            *slot = four[row];
            kept++;
        }
    }
    return kept;
}

// Where the lanes of a warp tell each other of a table that grows.
FN Grams& larger_in(Shared& shared, const Grams&) { return shared.larger_grams; }
FN Contexts& larger_in(Shared& shared, const Contexts&) { return shared.larger_contexts; }

// A larger table with the entries of another, which all lanes of the warp copy; without slots if there is no memory.
template <class Slot>
FN TableOf<Slot> grown(Warp& warp, const Job& job, Shared& shared, const TableOf<Slot>& table, u32 first) {
    TableOf<Slot>& told = larger_in(shared, table);
    warp.each([&](u32 lane, Lane&) {
        if (lane == 0) told = larger_than(job, table, first);
    });
    TableOf<Slot> larger = told;
    warp.have_read();
    if (larger.slots == 0) return larger;
    warp.each([&](u32 lane, Lane&) { fetch_add(&told.used, copy_entries(table, larger, lane)); });
    larger.used = told.used;
    warp.have_read();
    return larger;
}

// Room in a table for so many entries more; says whether there was memory.
template <class Slot>
FN bool make_room(Warp& warp, const Job& job, Shared& shared, Lane& me, TableOf<Slot>& table, u32 more) {
    ROLLED while (3 * (u64)table.size < 4 * (table.used + (u64)more)) {
        TableOf<Slot> larger = grown(warp, job, shared, table, player_of(job, me).first_grams);
        if (larger.slots == 0) {
            me.has_failed = NO_MEMORY;
            return false;
        }
        table = larger;
    }
    return true;
}

FN void forget(GramSlot& slot) {
    slot.visits = 0;
    slot.value = 0.0f;
}

FN void forget(ContextSlot& slot) {
    slot.stamp = slot.twice = 0;
    slot.row = 0;
}

// The place of an entry, taken if it is new; other threads take others at the same time, and there is room for all.
template <class Slot> FN Slot* claim(const TableOf<Slot>& table, u64 context, u32 code, u32& is_new) {
    const u64 key = gram_key(table, context, code);
    ROLLED for (u64 probe = 0;; probe++) {
        Slot* slot = table.slots + gram_place(table, context, code, probe);
        u64 seen = slot->key;
        ROLLED while (is_free(table, seen)) {
            u64 before = set_if(&slot->key, seen, key);
            if (before == seen) {
                forget(*slot);
                is_new = 1;
                return slot;
            }
            seen = before;
        }
        if (seen == key) return slot;
    }
}
#endif

// Room for so many sequences more; says whether there was memory.
FN bool reserve(const Job& job, Lane& me, Grams& grams, u32 more) {
    ROLLED while (3 * (u64)grams.size < 4 * (grams.used + (u64)more) && !me.has_failed) {
        // A copy, so that the table itself stays in registers.
        Grams copy = grams;
        if (!grow(job, copy, player_of(job, me).first_grams)) me.has_failed = NO_MEMORY;
        grams = copy;
    }
    return !me.has_failed;
}

// What is known of a sequence, made if absent; none if there is no memory.
FN GramSlot* place(const Job& job, Lane& me, Grams& grams, u64 context, u32 code) {
    if (!reserve(job, me, grams, 1)) return 0;
    GramSlot* slot = seek(grams, context, code);
    if (is_free(grams, slot->key)) {
        *slot = GramSlot{gram_key(grams, context, code), 0, 0.0f};
        grams.used++;
    }
    return slot;
}

// Where several threads have told the same, the first of them acts for all. Which ones are the first of those below `count`.
FN u32 first_of_each(Warp& warp, const Shared& shared, u32 count) {
    const u32 firsts = warp.ballot([&](u32 lane, Lane&) {
        bool is_first = lane < count;
        BY_FOURS for (u32 earlier = 0; earlier < lane; earlier++) is_first &= shared.told[earlier] != shared.told[lane];
        return is_first;
    });
    warp.have_read();
    return firsts;
}

FN double score_of(const Lane& me, u32 role) {
    double own = 0.0;
    EACH_ROLE(other) own = other == role ? me.scores[other] : own;
    return own;
}

#if LEARNS_MEANS
// Adds the scores of a simulation to the moves of a role. Four steps are loaded at once; a move that comes again among them
// goes on from where it was before.
FN void tally_moves(const Job& job, Lane& me, u32 role, double score) {
    Tally* tallies = tallies_in(me.store);
    double* means = means_in(me.store);
    const u32* trail = trail_of(me) + role;
    ROLLED for (u32 step = 0; step < me.trail_steps; step += 4) {
        u32 codes[4];
        Tally four[4];
        EACH_OF_FOUR(place) codes[place] = step + place < me.trail_steps ? trail[(step + place) * ROLES] : NONE;
        EACH_OF_FOUR(place) {
            if (codes[place] != NONE) four[place] = tallies[codes[place]];
        }
        EACH_OF_FOUR(place) {
            if (codes[place] == NONE) continue;
            EACH_OF_FOUR(earlier) {
                if (earlier < place && codes[earlier] == codes[place]) four[place] = four[earlier];
            }
            four[place].sum += score * discount(job, me, step + place);
            four[place].visits++;
            tallies[codes[place]] = four[place];
            means[codes[place]] = four[place].sum / (double)four[place].visits;
        }
    }
}

FN void learn_means(const Job& job, Lane& me) {
    ROLLED for (u32 role = 0; role < ROLES; role++) tally_moves(job, me, role, score_of(me, role));
}
#endif

#if LEARNS_REPLIES
// Stores a reply after a success, forgets it after a failure.
FN void learn_reply(u32& reply, u32 code, bool is_good) {
    if (is_good) {
        reply = code + 1;
    } else if (reply == code + 1) {
        reply = 0;
    }
}

FN void learn_replies(const Job& job, Lane& me) {
    const u32* trail = trail_of(me);
    double best = me.scores[0];
    EACH_ROLE(role) best = me.scores[role] > best ? me.scores[role] : best;
    u32 sharing = 0;
    EACH_ROLE(role) sharing += me.scores[role] >= best;
    const bool leaves_best = sharing > 1 && !player_of(job, me).stores_draws;
    ROLLED for (u32 step = 1; step < me.trail_steps; step++) {
        EACH_ROLE(role) {
            bool is_good = me.scores[role] >= best;
            if (is_good && leaves_best) continue;
            u32 code = trail[step * ROLES + role], other = role_before(role);
            u32 previous = trail[(step - 1) * ROLES + other];
            learn_reply(replies_in(me.store)[previous], code, is_good);
            if (step < 2 || player_of(job, me).replies < 2) continue;
            u64 context = context_of(trail[(step - 2) * ROLES + role_before(other)], previous);
            GramSlot* slot = is_good ? place(job, me, me.pairs, context, 0) : (GramSlot*)find_gram(me.pairs, context, 0);
            if (slot != 0) learn_reply(slot->visits, code, is_good);
        }
    }
}
#endif

// The policies of a lane read the trail of a simulation. What all threads of a warp learn together is in `means.h`, `weights.h` and
// `sequences.h`.
FN void learn(const Job& job, Lane& me) {
    const Player& player = player_of(job, me);
#if LEARNS_REPLIES
    if (player.replies > 0) learn_replies(job, me);
#endif
#if LEARNS_MEANS
    if (player.main == MAST || player.main == NST) learn_means(job, me);
#endif
}

// The visits that stay after a step: rounded, halves up.
FN u32 decayed(u32 visits, double keep) { return (u32)floor((double)visits * keep + 0.5); }

// What a lane forgets by itself before its tables are swept.
FN void turn(const Job& job, Lane& me) {
    const Player& player = player_of(job, me);
    bool forgets = me.is_new_game || (player.main == NPPA && player.keep == 0.0);
    if (forgets) {
        clear(me.grams);
        clear(me.contexts);
        me.chunks.current = 0;
    }
    if (me.is_new_game || !player.keeps_replies) clear(me.pairs);
}

#if LEARNS_WEIGHTS && LEARNS_GRAMS
// How many places a row has.
FN u32 places_of_row(const Job& job) {
    const SheetTable& sheet = table_of(job);
    u32 most = 0;
    EACH_ROLE(role) {
        u32 moves = sheet.first_code[role + 1] - sheet.first_code[role];
        most = moves > most ? moves : most;
    }
    return (most + BLOCK - 1) / BLOCK;
}

// One lane's share of what sequences lose with a step.
FN void sweep_rows(const Job& job, const Player& player, const Contexts& contexts, u32 lane) {
    const u32 places = places_of_row(job);
    ROLLED for (u32 at = lane; at < contexts.size; at += WIDTH) {
        const ContextSlot& slot = contexts.slots[at];
        if (is_free(contexts, slot.key) || slot.row == 0) continue;
        Place* row = (Place*)slot.row;
        ROLLED for (u32 place = 0; place < places; place++) {
            if (row[place] == 0) continue;
            Block* block = block_at(row[place]);
            Place swept = place_of(block);
            ROLLED for (u32 mv = 0; mv < BLOCK; mv++) {
                u32 visits = decayed(block->visits[mv], player.keep);
                block->visits[mv] = (u16)visits;
                block->weights[mv] *= visits == 0 ? 0.0f : (float)player.keep;
                swept |= (u64)(visits >= player.min_visits) << mv;
            }
            row[place] = swept;
        }
    }
}
#endif

// One lane's share of sweeping the tables of another after a step, or before a game.
FN void sweep(const Job& job, const Shared& shared, u32 lane) {
    const Player& player = job.players[shared.player];
    bool is_new = shared.is_new_game;
    double keep = player.keep;
#if LEARNS_MEANS
    if ((player.main == MAST || player.main == NST) && (is_new || keep != 1.0)) {
        Tally* tallies = tallies_in(shared.store);
        double* means = means_in(shared.store);
        ROLLED for (u32 code = lane; code < CODES; code += WIDTH) {
            Tally& tally = tallies[code];
            tally.visits = is_new ? 0 : decayed(tally.visits, keep);
            if (tally.visits == 0) means[code] = player.unseen;
            tally.sum = means[code] * (double)tally.visits;
        }
    }
#endif
#if LEARNS_WEIGHTS
    if ((player.main == PPA || player.main == NPPA) && (is_new || keep != 1.0)) {
        double *weights = weights_in(shared.store), *exps = exps_in(shared.store);
        ROLLED for (u32 code = lane; code < CODES; code += WIDTH) {
            bool is_clear = is_new || keep == 0.0;
            weights[code] = is_clear ? 0.0 : weights[code] * keep;
            exps[code] = is_clear ? 1.0 : exp_of(weights[code]);
            if (SHARPENS && player.k != 1.0) sharp_in(shared.store)[code] = is_clear ? 1.0 : exp_of(player.k * weights[code]);
            if (is_new) shares_in(shared.store)[code] = 0.0;
        }
    }
#endif
#if LEARNS_GRAMS
    if (player.main == NST && !is_new && keep < 1.0) {
        ROLLED for (u32 place = lane; place < shared.grams.size; place += WIDTH) {
            GramSlot& slot = shared.grams.slots[place];
            if (is_free(shared.grams, slot.key) || slot.visits == 0) continue;
            u32 visits = decayed(slot.visits, keep);
            slot.value = (float)(mean_of(slot.visits, slot.value) * (double)visits);
            slot.visits = visits;
        }
    }
#endif
#if LEARNS_WEIGHTS && LEARNS_GRAMS
    if (player.main == NPPA && !is_new && keep > 0.0 && keep < 1.0) sweep_rows(job, player, shared.contexts, lane);
#endif
#if LEARNS_REPLIES
    if (player.replies > 0 && (is_new || !player.keeps_replies)) {
        ROLLED for (u32 code = lane; code < CODES; code += WIDTH) replies_in(shared.store)[code] = 0;
    }
#endif
}
