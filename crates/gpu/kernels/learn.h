// Learning: after a simulation the policies read its trail (`averages.rs`, `weights.rs`, `policy/`); after a step of the real
// game, and before a new one, the lanes of a warp sweep the tables of one lane together.

// Forgets all sequences. Entries of an earlier epoch count as free.
FN void clear(Grams& grams) {
    grams.used = 0;
    grams.epoch++;
    if (grams.epoch >= 1u << (64 - 3 * CODE_BITS)) {
        ROLLED for (u32 place = 0; place < grams.size; place++) grams.slots[place].key = 0;
        grams.epoch = 1;
    }
}

// The place of a sequence, or a free one where it belongs; there is one.
FN GramSlot* seek(const Grams& grams, u64 context, u32 code) {
    ROLLED for (u64 probe = 0;; probe++) {
        GramSlot* slot = grams.slots + gram_place(grams, context, code, probe);
        if (slot->key == gram_key(grams, context, code) || is_free(grams, slot->key)) return slot;
    }
}

// An empty table that takes the place of another; without slots if there is no memory.
FN Grams larger_than(const Job& job, const Grams& grams, u32 first) {
    u32 size = grams.size == 0 ? first : 2 * grams.size;
    return Grams{(GramSlot*)allocate(job, sizeof(GramSlot) * (u64)size), size, 0, grams.epoch};
}

// Whether an entry of a table is kept when it grows. Without a visit it is as good as absent.
FN bool is_kept(const Grams& grams, const GramSlot& slot) { return !is_free(grams, slot.key) && slot.visits != 0; }

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
// One lane's share of copying a table into a larger one.
FN void copy_grams(Shared& shared, u32 lane) {
    const Grams grams = shared.grams, larger = shared.larger;
    u32 kept = 0;
    ROLLED for (u32 first = lane; first < grams.size && larger.slots != 0; first += 4 * WIDTH) {
        GramSlot four[4];
        EACH_OF_FOUR(row) {
            if (first + row * WIDTH < grams.size) four[row] = grams.slots[first + row * WIDTH];
        }
        EACH_OF_FOUR(row) {
            if (first + row * WIDTH >= grams.size || !is_kept(grams, four[row])) continue;
            u64 probe = 0, key = four[row].key;
            GramSlot* slot;
            do {
                slot = larger.slots + gram_place(larger, context_in(key), (u32)(key & NO_CODE), probe++);
            } while (set_if_zero(&slot->key, key) != 0);
            *slot = four[row];
            kept++;
        }
    }
    fetch_add(&shared.kept, kept);
}

// Before lanes learn, tables that are nearly full grow: all lanes of the warp work on the table of one of them.
FN void grow_tables(Warp& warp, const Job& job, Shared& shared) {
    u32 full = warp.ballot(
        [](u32, Lane& me) { return me.stage == OVER && !me.has_failed && 10 * (u64)me.grams.used > 7 * (u64)me.grams.size; });
    for (; full != 0; full &= full - 1) {
        u32 owner = lowest(full);
        warp.each([&](u32 lane, Lane& me) {
            if (lane != owner) return;
            shared.grams = me.grams;
            shared.larger = larger_than(job, me.grams, 0);
            shared.kept = 0;
        });
        warp.each([&](u32 lane, Lane&) { copy_grams(shared, lane); });
        warp.each([&](u32 lane, Lane& me) {
            if (lane != owner) return;
            if (shared.larger.slots == 0) {
                me.has_failed = NO_MEMORY;
            } else {
                me.grams = shared.larger;
                me.grams.used = shared.kept;
            }
        });
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
        *slot = GramSlot{gram_key(grams, context, code), 0, 0.0f, 0.0f, 0};
        grams.used++;
    }
    return slot;
}

FN double score_of(const Lane& me, u32 role) {
    double own = 0.0;
    EACH_ROLE(other) own = other == role ? me.scores[other] : own;
    return own;
}

#if LEARNS_MEANS
FN void add_score(const Job& job, Lane& me, u64 context, u32 code, double score) {
    GramSlot* slot = place(job, me, me.grams, context, code);
    if (slot == 0) return;
    slot->visits++;
    slot->value += (float)score;
}

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

// Calls `visit` with every sequence of two or three moves of a trail.
template <class F> FN void each_sequence(const Player& player, const Lane& me, F visit) {
    u32 before = 0;
    ROLLED for (u32 step = 0; step < me.trail_steps; step++) {
        ROLLED while (before < me.choice_count && choices_of(me)[before].step < step) before++;
        ROLLED for (u32 role = 0; role < ROLES; role++) {
            u32 code = trail_of(me)[step * ROLES + role];
            Contexts context = contexts(player, me, step, role, before);
            if (context.has_one) visit(step, role, context.one, code);
            if (context.has_two) visit(step, role, context.two, code);
        }
    }
}

FN void learn_means(const Job& job, Lane& me) {
    ROLLED for (u32 role = 0; role < ROLES; role++) tally_moves(job, me, role, score_of(me, role));
#if LEARNS_GRAMS
    const Player& player = player_of(job, me);
    if (player.main != NST) return;
    each_sequence(player, me, [&](u32, u32, u64 context, u32 code) { prefetch_gram(me.grams, context, code); });
    each_sequence(player, me, [&](u32 step, u32 role, u64 context, u32 code) {
        add_score(job, me, context, code, score_of(me, role) * discount(job, me, step));
    });
#endif
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
    ROLLED for (u32 step = 1; step < me.trail_steps; step++) {
        EACH_ROLE(role) {
            bool is_good = me.scores[role] >= best;
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

#if LEARNS_WEIGHTS
// Calls `visit` with every move whose bit is set, in ascending order.
template <class F> FN void each_set(const Job& job, const RoleTable& moves, const u32* mask, F visit) {
    ROLLED for (u32 word = 0; word < moves.words; word++) {
        ROLLED for (u32 bits = mask[word]; bits != 0; bits &= bits - 1)
            visit(read(job.sheet + moves.moves + WIDTH * word + lowest(bits)));
    }
}

// Calls `visit` with every move that was legal at a decision, in ascending order.
template <class F> FN void each_legal(const Job& job, const Lane& me, u32 index, F visit) {
    const Choice& choice = choices_of(me)[index];
    if (choice.node != NONE) {
        const Node& node = me.tree.nodes[choice.node];
        const u32* moves = me.tree.moves + first_arm(node, choice.role);
        ROLLED for (u32 place = 0; place < node.counts[choice.role]; place++) visit(moves[place]);
    } else {
        const RoleTable& moves = table_of(job).phases[(me.root_phase + choice.step) % PHASES].roles[choice.role];
        each_set(job, moves, mask_of(me, index), visit);
    }
}

// The same with four moves at once; NONE where there are fewer.
template <class F> FN void each_four_legal(const Job& job, const Lane& me, u32 index, F visit) {
    const Choice& choice = choices_of(me)[index];
    u32 four[4];
    if (choice.node != NONE) {
        const Node& node = me.tree.nodes[choice.node];
        const u32* moves = me.tree.moves + first_arm(node, choice.role);
        u32 count = node.counts[choice.role];
        ROLLED for (u32 first = 0; first < count; first += 4) {
            EACH_OF_FOUR(place) four[place] = first + place < count ? moves[first + place] : NONE;
            visit(four);
        }
    } else {
        const RoleTable& moves = table_of(job).phases[(me.root_phase + choice.step) % PHASES].roles[choice.role];
        const u32* mask = mask_of(me, index);
        Columns columns = {mask, moves.words, 0, mask[0]};
        do {
            EACH_OF_FOUR(place) {
                u32 column = next_column(columns);
                four[place] = column == NONE ? NONE : read(job.sheet + moves.moves + column);
            }
            if (four[0] != NONE) visit(four);
        } while (four[3] != NONE);
    }
}

// How many moves were legal at a decision.
FN u32 count_choices(const Job& job, const Lane& me, u32 index) {
    const Choice& choice = choices_of(me)[index];
    if (choice.node != NONE) return me.tree.nodes[choice.node].counts[choice.role];
    u32 count = 0, words = table_of(job).phases[(me.root_phase + choice.step) % PHASES].roles[choice.role].words;
    ROLLED for (u32 word = 0; word < words; word++) count += count_ones(mask_of(me, index)[word]);
    return count;
}

// How much a decision of a role teaches; see `Update` in `ppa.rs`.
FN double factor(const Player& player, const Lane& me, u32 role) {
    double own = score_of(me, role);
    if (player.pays_off) return own;
    if (ROLES == 1) return own == 1.0 ? 1.0 : 0.0;
    bool wins = true;
    EACH_ROLE(other) wins &= other == role || me.scores[other] < own;
    return wins ? 1.0 : 0.0;
}

// Whether a decision is learned from at all, and how much. Payoffs are discounted, who won is not.
FN bool has_rate(const Job& job, const Lane& me, const Choice& choice, double& rate) {
    const Player& player = player_of(job, me);
    double learned = factor(player, me, choice.role);
    double counted = player.pays_off ? discount(job, me, choice.step) : 1.0;
    rate = learned * counted * player.scale * player.alpha;
    return player.main == NPPA ? learned > 0.0 || player.pays_off : rate != 0.0;
}

// Takes a decision into account; the weights change when all are.
FN void adapt(const Job& job, Lane& me, u32 index, double rate) {
    u32 first = table_of(job).first_code[choices_of(me)[index].role];
    const double* exps = exps_in(me.store) + first;
    double* shares = shares_in(me.store) + first;
    u32* touched = touched_in(me.store);
    u32 count = count_choices(job, me, index), seen = 0;
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0, rest = 0.0;
    each_four_legal(job, me, index, [&](const u32* moves) {
        double four[4];
        EACH_OF_FOUR(place) four[place] = moves[place] == NONE ? 0.0 : exps[moves[place]];
        seen += 4;
        if (seen <= count) {
            a += four[0];
            b += four[1];
            c += four[2];
            d += four[3];
        } else {
            EACH_OF_FOUR(place) rest += four[place];
        }
    });
    double sum = a + b + c + d + rest;
    if (!is_safe(sum)) {
        me.has_failed = BEYOND;
        return;
    }
    double share = rate / sum;
    if (share == 0.0) return;
    each_four_legal(job, me, index, [&](const u32* moves) {
        double four[4];
        EACH_OF_FOUR(place) four[place] = moves[place] == NONE ? 0.0 : shares[moves[place]];
        EACH_OF_FOUR(place) {
            if (moves[place] == NONE) continue;
            if (four[place] == 0.0) touched[me.touched_count++] = first + moves[place];
            shares[moves[place]] = four[place] + share;
        }
    });
}

FN void learn_weights(const Job& job, Lane& me) {
    const Player& player = player_of(job, me);
    double *weights = weights_in(me.store), *exps = exps_in(me.store), *shares = shares_in(me.store), rate;
    const u32* touched = touched_in(me.store);
    me.touched_count = 0;
    ROLLED for (u32 index = 0; index < me.choice_count && !me.has_failed; index++) {
        if (has_rate(job, me, choices_of(me)[index], rate)) adapt(job, me, index, rate);
    }
    // Codes differ, so that four can be loaded at once.
    ROLLED for (u32 from = 0; from < me.touched_count; from += 4) {
        u32 codes[4];
        double before[4], changes[4];
        EACH_OF_FOUR(place) codes[place] = from + place < me.touched_count ? touched[from + place] : NONE;
        EACH_OF_FOUR(place) {
            if (codes[place] == NONE) continue;
            before[place] = weights[codes[place]];
            changes[place] = exps[codes[place]] * shares[codes[place]];
        }
        EACH_OF_FOUR(place) {
            if (codes[place] == NONE) continue;
            weights[codes[place]] = before[place] - changes[place];
            shares[codes[place]] = 0.0;
        }
    }
    ROLLED for (u32 index = 0; index < me.choice_count; index++) {
        const Choice& choice = choices_of(me)[index];
        if (has_rate(job, me, choice, rate)) weights[choice.code] += rate;
    }
    ROLLED for (u32 from = 0; from < me.touched_count; from += 4) {
        u32 codes[4];
        double now[4];
        EACH_OF_FOUR(place) codes[place] = from + place < me.touched_count ? touched[from + place] : NONE;
        EACH_OF_FOUR(place) {
            if (codes[place] != NONE) now[place] = weights[codes[place]];
        }
        EACH_OF_FOUR(place) {
            if (codes[place] == NONE) continue;
            exps[codes[place]] = exp_of(now[place]);
            if (SHARPENS && player.k != 1.0) sharp_in(me.store)[codes[place]] = exp_of(player.k * now[place]);
        }
    }
}
#endif

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

OUTLINE bool grow_once(const Job& job, u32** masks, u32* room) {
    u32 more = *room == 0 ? 1024 : 2 * *room;
    u32* larger = (u32*)allocate(job, 4 * (u64)more * MASK_WORDS);
    if (larger == 0) return false;
    ROLLED for (u64 word = 0; word < (u64)*room * MASK_WORDS; word++) larger[word] = (*masks)[word];
    *masks = larger;
    *room = more;
    return true;
}

// Keeps the first decision after a context; whether that is all there is to do.
FN bool keep_once(const Job& job, Lane& me, u32 index, u64 context, float rate) {
    const Player& player = player_of(job, me);
    const Choice& choice = choices_of(me)[index];
    if (player.keep != 1.0 || player.min_visits < 2) return false;
    GramSlot* slot = place(job, me, me.grams, context, ONCE);
    if (slot == 0) return true;
    if (slot->visits != 0) return false;
    slot->visits = 1;
    if (choice.node != NONE) return false;
    if (me.once_used == me.once_room) {
        u32 *masks = me.once, room = me.once_room;
        if (!grow_once(job, &masks, &room)) me.has_failed = NO_MEMORY;
        me.once = masks;
        me.once_room = room;
        if (me.has_failed) return true;
    }
    u32 phase = (me.root_phase + choice.step) % PHASES;
    u32* kept = me.once + (u64)me.once_used * MASK_WORDS;
    ROLLED for (u32 word = 0; word < table_of(job).phases[phase].roles[choice.role].words; word++) kept[word] = mask_of(me, index)[word];
    u32 mv = choice.code - table_of(job).first_code[choice.role];
    slot->visits = KEPT | (phase * ROLES + choice.role) << CODE_BITS | mv;
    slot->value = rate;
    slot->before = float_of(me.once_used++);
    slot->changed = me.stamp;
    return true;
}

// Makes sequences of a decision that was kept: all weights were 0, so all exponentials 1.
FN void unfold(const Job& job, Lane& me, u64 context) {
    GramSlot* found = seek(me.grams, context, ONCE);
    if (!(found->visits & KEPT)) return;
    GramSlot kept = *found;
    found->visits = 1;
    u32 played = kept.visits & (u32)NO_CODE, where = (kept.visits & ~KEPT) >> CODE_BITS;
    const RoleTable& moves = table_of(job).phases[where / ROLES].roles[where % ROLES];
    const u32* mask = me.once + (u64)bits_of(kept.before) * MASK_WORDS;
    u32 count = 0;
    ROLLED for (u32 word = 0; word < moves.words; word++) count += count_ones(mask[word]);
    float share = -kept.value / (float)count;
    each_set(job, moves, mask, [&](u32 mv) { prefetch_gram(me.grams, context, mv); });
    each_set(job, moves, mask, [&](u32 mv) {
        GramSlot* slot = place(job, me, me.grams, context, mv);
        if (slot == 0) return;
        slot->value = 0.0f + (mv == played ? share + kept.value : share);
        slot->visits = 1;
        slot->before = 0.0f;
        slot->changed = kept.changed;
    });
}

// The sequences of four moves after a context, made if absent. What is in its first place is loaded at once, the rest one by one.
// The table has room: it does not grow.
FN void place_four(const Job& job, Lane& me, u64 context, const u32* moves, GramSlot** slots) {
    u64 keys[4];
    EACH_OF_FOUR(place) {
        if (moves[place] == NONE) continue;
        slots[place] = me.grams.slots + gram_place(me.grams, context, moves[place], 0);
        keys[place] = slots[place]->key;
    }
    EACH_OF_FOUR(at) {
        if (moves[at] != NONE && keys[at] != gram_key(me.grams, context, moves[at]))
            slots[at] = place(job, me, me.grams, context, moves[at]);
    }
}

// Applies PPA's rule to the sequences of one context; all of a simulation use the weights before it.
FN void adapt_context(const Job& job, Lane& me, u32 index, u64 context, float rate) {
    const Choice& choice = choices_of(me)[index];
    u32 first = table_of(job).first_code[choice.role];
    if (keep_once(job, me, index, context, rate)) return;
    if (player_of(job, me).keep == 1.0 && player_of(job, me).min_visits >= 2) unfold(job, me, context);
    if (me.has_failed) return;
    if (!reserve(job, me, me.grams, count_choices(job, me, index))) return;
    each_legal(job, me, index, [&](u32 mv) { prefetch_gram(me.grams, context, mv); });
    float sums[BLOCK];
    for (u32 lane = 0; lane < BLOCK; lane++) sums[lane] = 0.0f;
    each_four_legal(job, me, index, [&](const u32* moves) {
        GramSlot* slots[4];
        float weights[4];
        place_four(job, me, context, moves, slots);
        EACH_OF_FOUR(place) weights[place] = moves[place] == NONE ? 0.0f : weight_before(me, slots[place]);
        EACH_OF_FOUR(place) {
            if (moves[place] != NONE) sums[moves[place] % BLOCK] += exp_of(weights[place]);
        }
    });
    float sum = sum_of(sums);
    if (!is_safe(sum)) {
        me.has_failed = BEYOND;
        return;
    }
    float share = -rate / sum;
    each_four_legal(job, me, index, [&](const u32* moves) {
        GramSlot *slots[4], four[4];
        place_four(job, me, context, moves, slots);
        EACH_OF_FOUR(place) {
            if (moves[place] != NONE) four[place] = *slots[place];
        }
        EACH_OF_FOUR(place) {
            if (moves[place] == NONE) continue;
            float before = weight_before(me, &four[place]);
            float change = exp_of(before) * share;
            if (first + moves[place] == choice.code) change += rate;
            GramSlot& slot = *slots[place];
            slot.before = before;
            slot.changed = me.stamp;
            slot.value = four[place].value + change;
            slot.visits = four[place].visits < 65535 ? four[place].visits + 1 : 65535;
        }
    });
}

// Calls `visit` with every context of a decision that is learned from, and how much.
template <class F> FN void each_context(const Job& job, const Lane& me, F visit) {
    const Player& player = player_of(job, me);
    u32 before = 0;
    ROLLED for (u32 index = 0; index < me.choice_count; index++) {
        const Choice& choice = choices_of(me)[index];
        ROLLED while (choices_of(me)[before].step < choice.step) before++;
        double rate;
        if (!has_rate(job, me, choice, rate)) continue;
        Contexts context = contexts(player, me, choice.step, choice.role, before);
        if (context.has_one) visit(index, context.one, rate);
        if (context.has_two) visit(index, context.two, rate);
    }
}

FN void learn_sequences(const Job& job, Lane& me) {
    me.stamp++;
    each_context(job, me, [&](u32, u64 context, double) { prefetch_gram(me.grams, context, ONCE); });
    each_context(job, me, [&](u32 index, u64 context, double rate) {
        if (!me.has_failed) adapt_context(job, me, index, context, (float)rate);
    });
}
#endif

// The policies of a lane read the trail of a simulation.
FN void learn(const Job& job, Lane& me) {
    const Player& player = player_of(job, me);
#if LEARNS_REPLIES
    if (player.replies > 0) learn_replies(job, me);
#endif
#if LEARNS_MEANS
    if (player.main == MAST || player.main == NST) learn_means(job, me);
#endif
#if LEARNS_WEIGHTS && LEARNS_GRAMS
    if (player.main == NPPA) learn_sequences(job, me);
#endif
#if LEARNS_WEIGHTS
    if (player.main == PPA || player.main == NPPA) learn_weights(job, me);
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
        me.once_used = 0;
    }
    if (me.is_new_game || !player.keeps_replies) clear(me.pairs);
}

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
    if ((player.main == NST || (player.main == NPPA && keep > 0.0)) && !is_new && keep < 1.0) {
        ROLLED for (u32 place = lane; place < shared.grams.size; place += WIDTH) {
            GramSlot& slot = shared.grams.slots[place];
            if (is_free(shared.grams, slot.key) || slot.visits == 0) continue;
            u32 visits = decayed(slot.visits, keep);
            if (player.main == NST) {
                slot.value = (float)(mean_of(slot.visits, slot.value) * (double)visits);
            } else {
                slot.value *= visits == 0 ? 0.0f : (float)keep;
            }
            slot.visits = visits;
        }
    }
#endif
#if LEARNS_REPLIES
    if (player.replies > 0 && (is_new || !player.keeps_replies)) {
        ROLLED for (u32 code = lane; code < CODES; code += WIDTH) replies_in(shared.store)[code] = 0;
    }
#endif
}
