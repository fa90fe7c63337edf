// What PPA and NPPA learn of single moves (`weights.rs`). One lane's simulation is learned from by all threads of its warp: each
// takes a decision, and then each takes a move.

#if LEARNS_WEIGHTS
// The moves that were legal at a decision, ascending: the columns of a role whose bits are set.
struct LegalMoves {
    const u32 *mask, *columns;
    u32 words;
};

FN const RoleTable& role_at(const Job& job, const Lane& me, const Choice& choice) {
    return table_of(job).phases[(me.root_phase + choice.step) % PHASES].roles[choice.role];
}

FN LegalMoves legal_at(const Job& job, const Lane& me, u32 index) {
    const RoleTable& moves = role_at(job, me, choices_of(me)[index]);
    return LegalMoves{mask_of(me, index), job.sheet + moves.moves, moves.words};
}

FN u32 count_of(const LegalMoves& legal) {
    u32 count = 0;
    ROLLED for (u32 word = 0; word < legal.words; word++) count += count_ones(legal.mask[word]);
    return count;
}

// Calls `visit` with the moves, four at a time; NONE where there are fewer.
template <class F> FN void each_four(const LegalMoves& legal, F visit) {
    Columns columns = {legal.mask, legal.words, 0, legal.mask[0]};
    u32 four[4];
    ROLLED do {
        EACH_OF_FOUR(place) {
            u32 column = next_column(columns);
            four[place] = column == NONE ? NONE : read(legal.columns + column);
        }
        if (four[0] != NONE) visit(four);
    } while (four[3] != NONE);
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

// Whether a decision is learned from at all.
FN bool teaches(const Player& player, const Lane& me, u32 index) {
    double learned = factor(player, me, choices_of(me)[index].role);
    return learned > 0.0 || (player.pays_off && player.main == NPPA);
}

// How much. Payoffs are discounted, who won is not.
FN double rate_of(const Job& job, const Lane& me, const Choice& choice) {
    const Player& player = player_of(job, me);
    double counted = player.pays_off ? discount(job, me, choice.step) : 1.0;
    return factor(player, me, choice.role) * counted * player.scale * player.alpha;
}

// Lists the decisions that are learned from.
FN void list_lessons(Warp& warp, const Job& job, Lane& me) {
    const Player& player = player_of(job, me);
    me.lesson_count = 0;
    ROLLED for (u32 first = 0; first < me.choice_count; first += WIDTH) {
        const u32 found = warp.ballot([&](u32 lane, Lane&) {
            return first + lane < me.choice_count && teaches(player, me, first + lane);
        });
        warp.each([&](u32 lane, Lane&) {
            if (found >> lane & 1) lessons_of(me)[me.lesson_count + count_ones(found & ((1u << lane) - 1))] = first + lane;
        });
        me.lesson_count += count_ones(found);
    }
}

// The decision of a lesson; NONE behind the last.
FN u32 lesson_at(const Lane& me, u32 lesson) { return lesson < me.lesson_count ? lessons_of(me)[lesson] : NONE; }

// Up to 32 decisions: how much their moves share, and of which role and phase they are.
struct Shares {
    PerLane<double> share;
    PerLane<u32> index, role, phase;
};

// The sum of exponentials, four at a time, as in `weights.rs`.
FN double sum_of_exps(const LegalMoves& legal, const double* exps) {
    u32 count = count_of(legal), seen = 0;
    double sums[4] = {0.0, 0.0, 0.0, 0.0}, rest = 0.0;
    each_four(legal, [&](const u32* moves) {
        double four[4];
        EACH_OF_FOUR(place) four[place] = moves[place] == NONE ? 0.0 : exps[moves[place]];
        seen += 4;
        EACH_OF_FOUR(place) {
            if (seen <= count) {
                sums[place] += four[place];
            } else {
                rest += four[place];
            }
        }
    });
    return sums[0] + sums[1] + sums[2] + sums[3] + rest;
}

// Adds the shares of decisions of one role in one phase to their moves, in their order. Each thread has a column.
FN void add_shares(Warp& warp, const Job& job, Lane& me, Shares& shares, u32 role, u32 same) {
    const RoleTable& moves = table_of(job).phases[told(shares.phase, lowest(same))].roles[role];
    const u32 first_code = table_of(job).first_code[role];
    double* sums = shares_in(me.store) + first_code;
    u32* touched = touched_in(me.store);
    ROLLED for (u32 word = 0; word < moves.words; word++) {
        PerLane<u32> bits, move;
        PerLane<double> before, sum;
        warp.each([&](u32 lane, Lane&) { bits[lane] = same >> lane & 1 ? mask_of(me, shares.index[lane])[word] : 0; });
        u32 some = warp.ballot([&](u32 lane, Lane&) { return bits[lane] != 0; });
        if (some == 0) continue;
        warp.each([&](u32 lane, Lane&) {
            u32 column = WIDTH * word + lane;
            move[lane] = column < moves.count ? read(job.sheet + moves.moves + column) : 0;
            before[lane] = sum[lane] = sums[move[lane]];
        });
        ROLLED for (u32 first = 0; some >> first != 0; first += 4) {
            EACH_OF_FOUR(at) {
                u32 legal = told(bits, first + at);
                double share = told(shares.share, first + at);
                for_all([&](u32 lane) { sum[lane] += legal >> lane & 1 ? share : 0.0; });
            }
            if (first + 4 == WIDTH) break;
        }
        u32 fresh = warp.ballot([&](u32 lane, Lane&) { return before[lane] == 0.0 && sum[lane] != 0.0; });
        warp.each([&](u32 lane, Lane&) {
            if (sum[lane] != before[lane]) sums[move[lane]] = sum[lane];
            if (fresh >> lane & 1) touched[me.touched_count + count_ones(fresh & ((1u << lane) - 1))] = first_code + move[lane];
        });
        me.touched_count += count_ones(fresh);
    }
}

// Takes up to 32 decisions into account; the weights change when all are.
FN void share_out(Warp& warp, const Job& job, Lane& me, u32 first_lesson) {
    Shares shares;
    PerLane<u32> is_beyond;
    warp.each([&](u32 lane, Lane&) {
        const u32 index = shares.index[lane] = lesson_at(me, first_lesson + lane);
        shares.role[lane] = NONE;
        shares.share[lane] = 0.0;
        is_beyond[lane] = 0;
        if (index == NONE) return;
        const Choice choice = choices_of(me)[index];
        double sum = sum_of_exps(legal_at(job, me, index), exps_in(me.store) + table_of(job).first_code[choice.role]);
        is_beyond[lane] = !is_safe(sum);
        shares.share[lane] = rate_of(job, me, choice) / sum;
        shares.role[lane] = choice.role;
        shares.phase[lane] = (me.root_phase + choice.step) % PHASES;
    });
    if (warp.ballot([&](u32 lane, Lane&) { return is_beyond[lane] != 0; })) {
        me.has_failed = BEYOND;
        return;
    }
    // The moves of a role may have different columns in different phases.
    ROLLED for (u32 role = 0; role < ROLES; role++) {
        u32 left = warp.ballot([&](u32 lane, Lane&) { return shares.role[lane] == role; });
        ROLLED while (left != 0) {
            u32 phase = told(shares.phase, lowest(left));
            u32 others = left & warp.ballot([&](u32 lane, Lane&) { return shares.phase[lane] != phase; });
            u32 same = others == 0 ? left : left & ((1u << lowest(others)) - 1);
            add_shares(warp, job, me, shares, role, same);
            left &= ~same;
        }
    }
}

// Adds the rates of up to 32 decisions to the moves that were played, in their order.
FN void reward(Warp& warp, const Job& job, Shared& shared, Lane& me, u32 first_lesson) {
    const u32 count = me.lesson_count - first_lesson < WIDTH ? me.lesson_count - first_lesson : WIDTH;
    const auto rate_at = [&](u32 lane) { return rate_of(job, me, choices_of(me)[lesson_at(me, first_lesson + lane)]); };
    warp.each([&](u32 lane, Lane&) {
        if (lane < count) shared.told[lane] = choices_of(me)[lesson_at(me, first_lesson + lane)].code;
    });
    const u32 firsts = first_of_each(warp, shared, count);
    const u32 last = count_ones(firsts) == count ? 0 : count;
    warp.each([&](u32 lane, Lane&) {
        if (!(firsts >> lane & 1)) return;
        double& weight = weights_in(me.store)[shared.told[lane]];
        double sum = weight + rate_at(lane);
        ROLLED for (u32 other = lane + 1; other < last; other++) {
            if (shared.told[other] == shared.told[lane]) sum += rate_at(other);
        }
        weight = sum;
    });
}

// All threads learn the weights of single moves for one lane.
FN void learn_weights(Warp& warp, const Job& job, Shared& shared, Lane& me) {
    double *weights = weights_in(me.store), *exps = exps_in(me.store), *shares = shares_in(me.store);
    const u32* touched = touched_in(me.store);
    me.touched_count = 0;
    ROLLED for (u32 first = 0; first < me.lesson_count && !me.has_failed; first += WIDTH) share_out(warp, job, me, first);
    if (me.has_failed) return;
    warp.each([&](u32 lane, Lane&) {
        ROLLED for (u32 at = lane; at < me.touched_count; at += WIDTH) {
            u32 code = touched[at];
            weights[code] -= exps[code] * shares[code];
            shares[code] = 0.0;
        }
    });
    ROLLED for (u32 first = 0; first < me.lesson_count; first += WIDTH) reward(warp, job, shared, me, first);
    warp.each([&](u32 lane, Lane&) {
        ROLLED for (u32 at = lane; at < me.touched_count; at += WIDTH) {
            u32 code = touched[at];
            double now = weights[code];
            exps[code] = exp_of(now);
            if (SHARPENS && player_of(job, me).k != 1.0) sharp_in(me.store)[code] = exp_of(player_of(job, me).k * now);
        }
    });
}
#endif
