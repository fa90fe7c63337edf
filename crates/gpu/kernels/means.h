// What NST learns of sequences (`policy/nst.rs`): all threads of a warp work on the simulation of one lane, each on one of its
// sequences.

#if LEARNS_MEANS && LEARNS_GRAMS
// How many choices were made before a step.
FN u32 choices_until(const Lane& me, u32 step) {
    u32 low = 0, high = me.choice_count;
    ROLLED while (low < high) {
        const u32 middle = (low + high) / 2;
        if (choices_of(me)[middle].step < step) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// A sequence of a trail by its number: every step, every role, two moves and three.
struct Sequence {
    u64 context;
    u32 code;
    float score;
    bool is_there;
};

FN Sequence sequence_at(const Job& job, const Lane& me, u32 number) {
    const u32 step = number / (2 * ROLES), role = number / 2 % ROLES;
    if (step >= me.trail_steps) return Sequence{0, 0, 0.0f, false};
    const Player& player = player_of(job, me);
    const Before before = before_move(player, me, step, role, player.acted_order ? choices_until(me, step) : 0);
    const float score = (float)(score_of(me, role) * discount(job, me, step));
    const u32 code = trail_of(me)[step * ROLES + role];
    return number % 2 == 0 ? Sequence{before.one, code, score, before.has_one} : Sequence{before.two, code, score, before.has_two};
}

// Adds the scores of a simulation to its sequences; to one that is there several times in the order of its numbers.
FN void learn_sequence_means(Warp& warp, const Job& job, Shared& shared, Lane& me) {
    ROLLED for (u32 first = 0; first < 2 * ROLES * me.trail_steps; first += WIDTH) {
        if (!make_room(warp, job, shared, me, me.grams, WIDTH)) return;
        PerLane<GramSlot*> slot;
        PerLane<u32> is_new;
        PerLane<float> score;
        warp.each([&](u32 lane, Lane&) {
            const Sequence sequence = sequence_at(job, me, first + lane);
            is_new[lane] = 0;
            slot[lane] = sequence.is_there ? claim(me.grams, sequence.context, sequence.code, is_new[lane]) : 0;
            score[lane] = sequence.score;
            shared.told[lane] = slot[lane] == 0 ? NONE : (u32)(slot[lane] - me.grams.slots);
        });
        me.grams.used += count_ones(warp.ballot([&](u32 lane, Lane&) { return is_new[lane] != 0; }));
        u32 left = warp.ballot([&](u32 lane, Lane&) { return slot[lane] != 0; });
        u32 firsts = left & first_of_each(warp, shared, WIDTH);
        ROLLED while (left != 0) {
            warp.each([&](u32 lane, Lane&) {
                if (!(firsts >> lane & 1)) return;
                slot[lane]->visits++;
                slot[lane]->value += score[lane];
            });
            left &= ~firsts;
            firsts = left & (0 - left);
        }
    }
}
#endif
