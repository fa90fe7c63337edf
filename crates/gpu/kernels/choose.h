// Choices: in the tree by UCT (`select/uct.rs`), in playouts by the policies (`chain.rs`, `pick.rs`, `policy/`).

// Moves to choose from, and what they are worth.
struct Options {
    u32 count;
    u32 moves[MAX_MOVES];
    double values[MAX_MOVES];
};

// The same where others can see it.
struct SharedOptions {
    u32 count;
    const u32* moves;
    double* values;
};

FN u32 role_before(u32 role) { return role == 0 ? ROLES - 1 : role - 1; }

template <class Choices> FN double largest(const Choices& options) {
    double best = -infinite();
    BY_FOURS for (u32 place = 0; place < options.count; place++) {
        best = options.values[place] > best ? options.values[place] : best;
    }
    return best;
}

// One of the values from `least` on.
template <class Choices> FN u32 any_from(const Choices& options, double least, Rng& rng) {
    u32 count = 0;
    BY_FOURS for (u32 place = 0; place < options.count; place++) count += options.values[place] >= least;
    u32 skip = count > 1 ? below(rng, count) : 0;
    ROLLED for (u32 place = 0; place < options.count; place++) {
        if (options.values[place] >= least && skip-- == 0) return place;
    }
    return 0;
}

// A place with probability proportional to its weight.
template <class Choices> FN u32 sample(const Choices& weights, double sum, Rng& rng) {
    double rest = unit(rng) * sum;
    BY_FOURS for (u32 place = 0; place < weights.count; place++) {
        rest -= weights.values[place];
        if (rest < 0.0) return place;
    }
    u32 place = weights.count - 1;
    ROLLED while (place > 0 && !(weights.values[place] > 0.0)) place--;
    return place;
}

template <class Choices> FN u32 gibbs(Choices& options, double tau, Rng& rng) {
    double best = largest(options), sum = 0.0;
    ROLLED for (u32 place = 0; place < options.count; place++) {
        options.values[place] = exp_of((options.values[place] - best) / tau);
        sum += options.values[place];
    }
    return sample(options, sum, rng);
}

// The sum of the values, four at a time, as in `weights.rs`.
FN double total(const Options& options) {
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    u32 whole = options.count & ~3u;
    ROLLED for (u32 place = 0; place < whole; place += 4) {
        EACH_OF_FOUR(lane) sums[lane] += options.values[place + lane];
    }
    double rest = 0.0;
    ROLLED for (u32 place = whole; place < options.count; place++) rest += options.values[place];
    return sums[0] + sums[1] + sums[2] + sums[3] + rest;
}

// Sums of exponentials in this range are exact to rounding. What lies outside is left to the processor.
FN bool is_safe(double sum) { return sum >= 1e-200 && sum < 1e300; }
FN bool is_safe(float sum) { return sum >= 1e-30f && sum < 1e30f; }

// The moves before a move, of which sequences are made; see `grams.rs` and `table.rs`.
const u32 CODE_BITS = 18;
const u64 NO_CODE = (1ull << CODE_BITS) - 1;

struct Before {
    u64 one, two;
    bool has_one, has_two;
};

FN u64 context_of(u64 older, u64 previous) { return older << (2 * CODE_BITS) | previous << CODE_BITS; }

// The contexts of a role's move at a step. `before`: how many choices earlier steps have.
FN Before before_move(const Player& player, const Lane& me, u32 step, u32 role, u32 before) {
    Before found = {0, 0, false, false};
    u32 previous = 0, older = 0;
    bool has_previous, has_older;
    if (player.acted_order) {
        has_previous = before >= 1;
        has_older = before >= 2;
        if (has_previous) previous = choices_of(me)[before - 1].code;
        if (has_older) older = choices_of(me)[before - 2].code;
    } else {
        u32 other = role_before(role);
        has_previous = step >= 1;
        has_older = step >= 2;
        if (has_previous) previous = trail_of(me)[(step - 1) * ROLES + other];
        if (has_older) older = trail_of(me)[(step - 2) * ROLES + role_before(other)];
    }
    found.has_one = has_previous && player.length >= 2;
    found.has_two = has_previous && has_older && player.length >= 3;
    found.one = context_of(NO_CODE, previous);
    found.two = context_of(older, previous);
    return found;
}

// How many choices were made before the step under way.
FN u32 choices_before(const Lane& me, u32 step) {
    u32 before = me.choice_count;
    ROLLED while (before > 0 && choices_of(me)[before - 1].step >= step) before--;
    return before;
}

// Where a sequence is looked for. Moves after the same context lie side by side.
template <class Slot> FN u32 gram_place(const TableOf<Slot>& table, u64 context, u32 code, u64 probe) {
    u64 tried = probe * 0xd1b54a32d192ed03ull;
    return ((u32)((((context >> CODE_BITS) + tried) * GOLDEN) >> 32) + code) & (table.size - 1);
}

template <class Slot> FN u64 gram_key(const TableOf<Slot>& table, u64 context, u32 code) {
    return (u64)table.epoch << (3 * CODE_BITS) | context | code;
}

template <class Slot> FN bool is_free(const TableOf<Slot>& table, u64 key) { return key >> (3 * CODE_BITS) != table.epoch; }

// Memory is slow: what will be read of a table is asked for at once.
template <class Slot> FN void prefetch_gram(const TableOf<Slot>& table, u64 context, u32 code) {
    if (table.size != 0) prefetch(table.slots + gram_place(table, context, code, 0));
}

template <class Slot> FN const Slot* find_gram(const TableOf<Slot>& table, u64 context, u32 code) {
    if (table.size == 0) return 0;
    ROLLED for (u64 probe = 0;; probe++) {
        const Slot* slot = table.slots + gram_place(table, context, code, probe);
        if (slot->key == gram_key(table, context, code)) return slot;
        if (is_free(table, slot->key)) return 0;
    }
}

// The same for what is rare: the table is not kept in memory for it.
OUTLINE const GramSlot* find_further(GramSlot* slots, u32 size, u32 epoch, u64 context, u32 code) {
    return find_gram(Grams{slots, size, 0, epoch}, context, code);
}

// A reply that is legal, by its place; none if there is none.
FN u32 place_of_reply(const Options& options, u32 reply, u32 first) {
    if (reply == 0 || reply - 1 < first) return NONE;
    u32 mv = reply - 1 - first;
    ROLLED for (u32 place = 0; place < options.count; place++) {
        if (options.moves[place] == mv) return place;
    }
    return NONE;
}

FN u32 choose_reply(const Job& job, Lane& me, u32 role, const Options& options) {
    u32 step = me.trail_steps, first = table_of(job).first_code[role], other = role_before(role);
    if (step == 0) return NONE;
    u32 previous = trail_of(me)[(step - 1) * ROLES + other];
    if (step >= 2 && player_of(job, me).replies == 2) {
        u32 older = trail_of(me)[(step - 2) * ROLES + role_before(other)];
        const GramSlot* slot = find_gram(me.pairs, context_of(older, previous), 0);
        u32 place = slot == 0 ? NONE : place_of_reply(options, slot->visits, first);
        if (place != NONE) return place;
    }
    return place_of_reply(options, replies_in(me.store)[previous], first);
}

FN double mean_of(u32 visits, float sum) { return (double)sum / (double)visits; }

#if LEARNS_MEANS
// By mean scores; `values` has them.
template <class Choices> FN u32 choose_value(const Player& player, Lane& me, Choices& options) {
    if (SAMPLES_MEANS && player.tau > 0.0) return gibbs(options, player.tau, me.rng);
    return any_from(options, largest(options), me.rng);
}

// By mean scores: MAST.
FN u32 choose_mean(const Job& job, Lane& me, u32 role, Options& options) {
    const double* means = means_in(me.store) + table_of(job).first_code[role];
    BY_FOURS for (u32 place = 0; place < options.count; place++) options.values[place] = means[options.moves[place]];
    return choose_value(player_of(job, me), me, options);
}
#endif

#if LEARNS_WEIGHTS
// By softmax weights: PPA.
FN u32 choose_weight(const Job& job, Lane& me, u32 role, Options& options) {
    u32 first = table_of(job).first_code[role];
    bool is_sharp = SHARPENS && player_of(job, me).k != 1.0;
    const double* exps = (is_sharp ? sharp_in(me.store) : exps_in(me.store)) + first;
    ROLLED for (u32 first_of_four = 0; first_of_four < options.count; first_of_four += 4) {
        EACH_OF_FOUR(place) {
            u32 at = first_of_four + place;
            if (at < options.count) options.values[at] = exps[options.moves[at]];
        }
    }
    double sum = total(options);
    if (!is_safe(sum)) {
        me.has_failed = BEYOND;
        return 0;
    }
    return sample(options, sum, me.rng);
}
#endif

#if LEARNS_WEIGHTS && LEARNS_GRAMS
FN Place place_of(const Block* block) { return (u64)block >> 4 << 16; }
FN Block* block_at(Place place) { return (Block*)(place >> 16 << 4); }
FN bool is_ripe(Place place, u32 mv) { return place >> (mv % BLOCK) & 1; }

// In the place of a row: the only decision after a context, which is kept as it was.
FN bool is_single(const u8* row) { return (u64)row & 1; }

// The sum of sixteen sums, as in `blocks.rs`.
FN float sum_of(const float* sums) {
    float sum = 0.0f;
    for (u32 four = 0; four < BLOCK; four += 4) sum += (sums[four] + sums[four + 2]) + (sums[four + 1] + sums[four + 3]);
    return sum;
}
#endif

// Whether a player chooses by what it knows of sequences.
FN bool weighs_sequences(const Player& player) { return LEARNS_SEQUENCES && (player.main == NST || player.main == NPPA); }

#if LEARNS_SEQUENCES
// Whether means or weights are asked for.
FN bool is_of_means(const Question& question) { return LEARNS_MEANS && (!LEARNS_WEIGHTS || question.main == NST); }

// What is asked of the sequences that end in a lane's move.
FN Question question_of(const Job& job, const Lane& me, u32 role) {
    const Player& player = player_of(job, me);
    const u32 before = player.acted_order ? choices_before(me, me.trail_steps) : 0;
    const Before context = before_move(player, me, me.trail_steps, role, before);
    Question question = {};
    question.main = player.main;
    question.first = table_of(job).first_code[role];
#if LEARNS_MEANS
    if (player.main == NST) {
        question.singles = means_in(me.store) + question.first;
        question.grams = me.grams;
        question.min_visits = player.min_visits;
        question.one = context.one;
        question.two = context.two;
        question.lengths = me.grams.size == 0 || !context.has_one ? 1 : context.has_two ? 3 : 2;
    }
#endif
#if LEARNS_WEIGHTS
    if (player.main == NPPA) {
        question.singles = weights_in(me.store) + question.first;
        if (context.has_two) prefetch_gram(me.contexts, context.two, 0);
        const u32 lengths = context.has_one ? context.has_two ? 3 : 2 : 1;
        ROLLED for (u32 length = 2; length <= lengths; length++) {
            const ContextSlot* slot = find_gram(me.contexts, length == 2 ? context.one : context.two, 0);
            if (slot == 0 || is_single(slot->row)) break;
            (length == 2 ? question.one : question.two) = (u64)slot->row;
        }
    }
#endif
    return question;
}

// What is found about a move. Sequences of three moves have as many visits as their last two moves at most, and count only with
// them.
struct Found {
    double single;
#if LEARNS_MEANS
    GramSlot pair, triple;
#endif
#if LEARNS_WEIGHTS
    Place one, two;
    float pair_weight, triple_weight;
#endif
};

// First what is found at once, then what it leads to.
FN void find_first(const Question& question, u32 mv, Found& found) {
    found.single = question.singles[mv];
#if LEARNS_MEANS
    if (is_of_means(question)) {
        const u32 code = question.first + mv;
        found.pair = found.triple = GramSlot{0, 0, 0.0f};
        if (question.lengths >= 2) found.pair = question.grams.slots[gram_place(question.grams, question.one, code, 0)];
        if (question.lengths >= 3) found.triple = question.grams.slots[gram_place(question.grams, question.two, code, 0)];
    }
#endif
#if LEARNS_WEIGHTS
    if (!is_of_means(question)) {
        found.one = question.one == 0 ? 0 : ((const Place*)question.one)[mv / BLOCK];
        found.two = question.two == 0 ? 0 : ((const Place*)question.two)[mv / BLOCK];
    }
#endif
}

FN void find_second(const Question& question, u32 mv, Found& found) {
#if LEARNS_WEIGHTS
    if (is_of_means(question)) return;
    if (is_ripe(found.one, mv)) found.pair_weight = block_at(found.one)->weights[mv % BLOCK];
    if (is_ripe(found.one & found.two, mv)) found.triple_weight = block_at(found.two)->weights[mv % BLOCK];
#endif
}

#if LEARNS_MEANS
// Whether a sequence has enough visits; its slot, or the first one where it may be, was looked at.
FN bool has_visits(const Question& question, u64 context, u32 mv, GramSlot& slot) {
    if (is_free(question.grams, slot.key)) return false;
    const u32 code = question.first + mv;
    if (slot.key != gram_key(question.grams, context, code)) {
        const GramSlot* further = find_further(question.grams.slots, question.grams.size, question.grams.epoch, context, code);
        if (further == 0) return false;
        slot = *further;
    }
    return slot.visits >= question.min_visits;
}

FN double mean_with_sequences(const Question& question, u32 mv, Found& found) {
    double mean = found.single;
    if (!has_visits(question, question.one, mv, found.pair)) return mean;
    mean = (1.0 * mean + (double)(float)mean_of(found.pair.visits, found.pair.value)) / 2.0;
    if (!has_visits(question, question.two, mv, found.triple)) return mean;
    return (2.0 * mean + (double)(float)mean_of(found.triple.visits, found.triple.value)) / 3.0;
}
#endif

#if LEARNS_WEIGHTS
FN float weight_with_sequences(u32 mv, const Found& found) {
    float value = (float)found.single;
    if (is_ripe(found.one, mv)) value = (value + found.pair_weight) * 0.5f;
    if (is_ripe(found.one & found.two, mv)) value = (2.0f * value + found.triple_weight) * (1.0f / 3.0f);
    return exp_of(value);
}

// A place by weights of sequences, NPPA with k = 1: first the lane of its block, then the block. A sequence ends in the number
// of a move, not in its code, as in `rows.rs`.
template <class Choices> FN u32 draw(Lane& me, const Choices& options) {
    float sums[BLOCK];
    for (u32 lane = 0; lane < BLOCK; lane++) sums[lane] = 0.0f;
    BY_FOURS for (u32 place = 0; place < options.count; place++) sums[options.moves[place] % BLOCK] += (float)options.values[place];
    const float sum = sum_of(sums);
    if (!is_safe(sum)) {
        me.has_failed = BEYOND;
        return 0;
    }
    float rest = (float)unit(me.rng) * sum, left = 0.0f;
    u32 chosen_lane = 0, chosen = 0;
    bool is_open = true;
    EACH_OF(BLOCK, lane) {
        if (!is_open || !(sums[lane] > 0.0f)) continue;
        chosen_lane = lane;
        left = rest;
        rest -= sums[lane];
        is_open = !(rest < 0.0f);
    }
    is_open = true;
    BY_FOURS for (u32 place = 0; place < options.count; place++) {
        if (!is_open || options.moves[place] % BLOCK != chosen_lane) continue;
        chosen = place;
        left -= (float)options.values[place];
        is_open = !(left < 0.0f);
    }
    return chosen;
}
#endif

// A mean of NST, or a weight of NPPA.
FN double value_of(const Question& question, u32 mv, Found& found) {
#if LEARNS_MEANS
    if (is_of_means(question)) return mean_with_sequences(question, mv, found);
#endif
#if LEARNS_WEIGHTS
    return (double)weight_with_sequences(mv, found);
#endif
}

// By the values of all options.
template <class Choices> FN u32 choose_weighed(const Player& player, Lane& me, Choices& options) {
#if LEARNS_MEANS
    if (player.main == NST) return choose_value(player, me, options);
#endif
#if LEARNS_WEIGHTS
    if (player.main == NPPA) return draw(me, options);
#endif
    return 0;
}

#if VISITS_ALL
// NST and NPPA at a node.
FN u32 choose_sequence(const Job& job, Lane& me, u32 role, Options& options) {
    const Question question = question_of(job, me, role);
    ROLLED for (u32 place = 0; place < options.count; place++) {
        Found found;
        find_first(question, options.moves[place], found);
        find_second(question, options.moves[place], found);
        options.values[place] = value_of(question, options.moves[place], found);
    }
    return choose_weighed(player_of(job, me), me, options);
}
#endif
#endif

// Whether the main policy leaves a choice to chance.
FN bool explores(const Player& player, Rng& rng) {
    if (player.main == UNIFORM) return true;
    if (player.main == MAST || player.main == NST) return player.tau > 0.0 ? false : unit(rng) < player.eps;
    return false;
}

// The place of the move that the main policy chooses, having decided not to explore.
FN u32 choose_main(const Job& job, Lane& me, u32 role, Options& options) {
    const Player& player = player_of(job, me);
#if LEARNS_MEANS
    if (player.main == MAST) return choose_mean(job, me, role, options);
#endif
#if LEARNS_SEQUENCES && VISITS_ALL
    if (weighs_sequences(player)) return choose_sequence(job, me, role, options);
#endif
#if LEARNS_WEIGHTS
    if (player.main == PPA) return choose_weight(job, me, role, options);
#endif
    return 0;
}

// The place of the move that the policies choose.
FN u32 choose(const Job& job, Lane& me, u32 role, Options& options) {
    const Player& player = player_of(job, me);
#if LEARNS_REPLIES
    if (player.replies > 0) {
        u32 place = choose_reply(job, me, role, options);
        if (place != NONE) return place;
    }
#endif
    return explores(player, me.rng) ? below(me.rng, options.count) : choose_main(job, me, role, options);
}

// Notes a decision in the trail; `row` has the moves that were legal.
FN void note_choice(const Job& job, Lane& me, u32 role, u32 mv, const u32* row, u32 words) {
    if (!learns(player_of(job, me))) return;
    if (lists_legal(player_of(job, me))) {
        u32* mask = mask_of(me, me.choice_count);
        ROLLED for (u32 word = 0; word < words; word++) mask[word] = row[word];
    }
    choices_of(me)[me.choice_count++] = Choice{me.trail_steps, role, table_of(job).first_code[role] + mv};
}

#if LEARNS_MEANS
// The legal move with the best mean score: MAST, greedy.
FN u32 best_mean(const Job& job, Lane& me, const RoleTable& moves, u32 role) {
    const double* means = means_in(me.store) + table_of(job).first_code[role];
    double best = -infinite();
    // Those with the best mean so far, in their order.
    u32 ties = 0, tied[MAX_MOVES];
    const u32* list = job.sheet + moves.moves;
    const u32* row = me.row + moves.row;
    Columns columns = {row, moves.words, 0, row[0]};
    ROLLED for (bool goes_on = true; goes_on;) {
        u32 found[8];
        double values[8];
        EACH_OF(8, place) {
            u32 column = next_column(columns);
            found[place] = column == NONE ? NONE : read(list + column);
        }
        EACH_OF(8, place) values[place] = found[place] == NONE ? -infinite() : means[found[place]];
        EACH_OF(8, place) {
            if (values[place] > best) {
                best = values[place];
                ties = 0;
            }
            if (found[place] != NONE && values[place] == best) tied[ties++] = found[place];
        }
        goes_on = found[7] != NONE;
    }
    return tied[ties > 1 ? below(me.rng, ties) : 0];
}
#endif

// A playout move of a role; NONE if sequences decide.
FN u32 pick_move(const Job& job, Lane& me, u32 phase, u32 role) {
    const Player& player = player_of(job, me);
    const RoleTable& moves = table_of(job).phases[phase].roles[role];
    u32 count = count_legal(job, me, moves);
    if (count == 1) return nth_legal(job, me, moves, role, 0);
    u32 mv = 0;
    if (player.replies == 0 && explores(player, me.rng)) {
        mv = nth_legal(job, me, moves, role, below(me.rng, count));
    } else if (player.replies == 0 && weighs_sequences(player)) {
        return NONE;
#if LEARNS_MEANS
    } else if (player.replies == 0 && player.main == MAST && !(player.tau > 0.0)) {
        mv = best_mean(job, me, moves, role);
#endif
    } else if (LEARNS_GRAMS || LEARNS_WEIGHTS || LEARNS_REPLIES || SAMPLES_MEANS) {
        Options options;
        options.count = 0;
        ROLLED for (u32 word = 0; word < moves.words; word++) {
            ROLLED for (u32 bits = me.row[moves.row + word]; bits != 0; bits &= bits - 1)
                options.moves[options.count++] = read(job.sheet + moves.moves + WIDTH * word + lowest(bits));
        }
        u32 place = NONE;
#if LEARNS_REPLIES
        if (player.replies > 0) place = choose_reply(job, me, role, options);
#endif
        if (place == NONE) {
            // With replies the main policy has not yet been asked whether it explores.
            bool is_chance = player.replies > 0 && explores(player, me.rng);
            if (!is_chance && weighs_sequences(player)) return NONE;
            place = is_chance ? below(me.rng, options.count) : choose_main(job, me, role, options);
        }
        mv = options.moves[place];
    }
    return mv;
}

// The arm that a role follows at a node.
FN u32 select_arm(const Job& job, Lane& me, const Node& node, u32 role, u32 first) {
    const Player& player = player_of(job, me);
    const Arm* arms = me.tree.arms + first;
    u32 count = node.counts[role];
    Options options;
    if (VISITS_ALL && player.fpu == infinite()) {
        u32 unvisited = 0, first_one = NONE, last_one = NONE;
        BY_FOURS for (u32 arm = 0; arm < count; arm++) {
            if (arms[arm].visits > 0) continue;
            unvisited++;
            first_one = first_one == NONE ? arm : first_one;
            last_one = arm;
        }
        if (unvisited > 0) {
            if (player.unvisited == UNVISITED_FIRST) return first_one;
            if (player.unvisited == UNVISITED_LAST) return last_one;
            u32 nth = 0;
            if (player.unvisited == UNVISITED_RANDOM) {
                nth = below(me.rng, unvisited);
            } else if (unvisited > 1) {
                options.count = 0;
                ROLLED for (u32 arm = 0; arm < count; arm++) {
                    if (arms[arm].visits == 0) options.moves[options.count++] = me.tree.moves[first + arm];
                }
                nth = choose(job, me, role, options);
            }
            ROLLED for (u32 arm = first_one;; arm++) {
                if (arms[arm].visits == 0 && nth-- == 0) return arm;
            }
        }
    }
    if (node.visits >= job.log_count) {
        me.has_failed = BEYOND;
        return 0;
    }
    double log = job.logs[node.visits], best = -infinite();
    // Exact values cost much. Rough ones tell which arms may be within the band of the best: their error is far below the slack.
    float values[MAX_MOVES], rough_best = -(float)infinite(), rough_log = (float)log;
    ROLLED for (u32 from = 0; from < count; from += 4) {
        Arm four[4];
        EACH_OF_FOUR(place) four[place] = from + place < count ? arms[from + place] : Arm{0.0, 0, 0};
        EACH_OF_FOUR(place) {
            if (from + place >= count) continue;
            float visits = (float)four[place].visits, value = (float)player.fpu;
            if (four[place].visits > 0) {
                float spread = rough_quotient(rough_log, visits);
                value = rough_quotient((float)four[place].score, visits);
                if (rough_log > 0.0f) value += (float)player.c * rough_root(spread);
            }
            values[from + place] = value;
            rough_best = value > rough_best ? value : rough_best;
        }
    }
    float band = (float)player.band;
    float least = rough_best - band - 1e-4f * (1.0f + band + (rough_best < 0.0f ? -rough_best : rough_best));
    options.count = 0;
    ROLLED for (u32 arm = 0; arm < count; arm++) {
        // What is not a number may be anything.
        if (!(values[arm] < least)) options.moves[options.count++] = arm;
    }
    ROLLED for (u32 place = 0; place < options.count; place++) {
        Arm arm = arms[options.moves[place]];
        double visits = (double)arm.visits, value = player.fpu;
        if (arm.visits > 0) value = arm.score / visits + player.c * sqrt(log / visits);
        options.values[place] = value;
        best = value > best ? value : best;
    }
    return options.moves[any_from(options, best - player.band, me.rng)];
}

// Picks an arm for every decider of a node; fills the joint move, the trail and the picks. At a root the position has not yet been
// looked at: its legal moves were kept.
FN void pick_arms(const Job& job, Lane& me, u32 phase, bool is_root) {
    const Node& node = me.tree.nodes[me.node];
    u32 first = node.first_arm;
    ROLLED for (u32 role = 0; role < ROLES; role++) {
        set_joint(me, role, node.forced[role]);
        if (node.counts[role] < 2) continue;
        u32 arm = select_arm(job, me, node, role, first);
        u32 mv = me.tree.moves[first + arm];
        const RoleTable& moves = table_of(job).phases[phase].roles[role];
        note_choice(job, me, role, mv, is_root ? root_mask_of(me, role) : me.row + moves.row, moves.words);
        set_joint(me, role, mv);
        picked_of(me)[me.picked_count++] = arm;
        first += node.counts[role];
    }
}

// The move to play, from the arms at the root.
FN u32 final_move(const Job& job, Lane& me) {
    const Player& player = player_of(job, me);
    const Node& root = me.tree.nodes[me.tree.root];
    u32 first = first_arm(root, me.role);
    const Arm* arms = me.tree.arms + first;
    double best = 0.0, best_score = 0.0;
    u32 ties = 0;
    ROLLED for (u32 pass = 0; pass < 2; pass++) {
        u32 skip = pass == 0 ? 0 : below(me.rng, ties);
        ROLLED for (u32 arm = 0; arm < root.counts[me.role]; arm++) {
            double visits = (double)arms[arm].visits;
            double score = arms[arm].visits == 0 ? -1.0 : arms[arm].score / visits;
            double value = player.final_by_score ? score : visits;
            double second = player.final_by_score ? 0.0 : score;
            if (pass == 1) {
                if (value == best && second == best_score && skip-- == 0) return me.tree.moves[first + arm];
            } else if (arm == 0 || value > best || (value == best && second > best_score)) {
                best = value;
                best_score = second;
                ties = 1;
            } else {
                ties += value == best && second == best_score;
            }
        }
    }
    return 0;
}
