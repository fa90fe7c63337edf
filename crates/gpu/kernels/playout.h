// Playout moves of all lanes of a warp. Most policies choose for a lane alone; where sequences decide, all threads weigh the
// moves of several lanes.

#if LEARNS_SEQUENCES
// Moves that a thread weighs at once.
const u32 WEIGHED_AT_ONCE = 4;

// One thread's share of the moves.
FN void weigh(Weighing& weighing, u32 thread, u32 count) {
    ROLLED for (u32 first = thread; first < count; first += WEIGHED_AT_ONCE * WIDTH) {
        u32 moves[WEIGHED_AT_ONCE];
        Found found[WEIGHED_AT_ONCE];
        EACH_OF(WEIGHED_AT_ONCE, at) moves[at] = first + at * WIDTH < count ? weighing.moves[first + at * WIDTH] : NONE;
        EACH_OF(WEIGHED_AT_ONCE, at) {
            if (moves[at] != NONE) find_first(weighing.questions[moves[at] >> CODE_BITS], moves[at] & NO_CODE, found[at]);
        }
        EACH_OF(WEIGHED_AT_ONCE, at) {
            if (moves[at] != NONE) find_second(weighing.questions[moves[at] >> CODE_BITS], moves[at] & NO_CODE, found[at]);
        }
        EACH_OF(WEIGHED_AT_ONCE, at) {
            if (moves[at] == NONE) continue;
            const Question& question = weighing.questions[moves[at] >> CODE_BITS];
            weighing.values[first + at * WIDTH] = value_of(question, moves[at] & NO_CODE, found[at]);
        }
    }
}

// As many lanes at once as have room for their moves.
FN void choose_sequences(Warp& warp, const Job& job, Weighing& weighing, u32 asking, u32 role, const RoleTable& moves,
                         PerLane<u32>& chosen) {
    PerLane<u32> count, place;
    warp.each([&](u32 lane, Lane& me) {
        if (!(asking >> lane & 1)) return;
        count[lane] = count_legal(job, me, moves);
        weighing.questions[lane] = question_of(job, me, role);
    });
    ROLLED while (asking != 0) {
        u32 now = 0, all = 0;
        ROLLED for (u32 left = asking; left != 0; left &= left - 1) {
            const u32 next = lowest(left), more = told(count, next);
            if (all + more > MOST_WEIGHED) break;
            for_all([&](u32 lane) { place[lane] = lane == next ? all : place[lane]; });
            all += more;
            now |= 1u << next;
        }
        warp.each([&](u32 lane, Lane& me) {
            if (!(now >> lane & 1)) return;
            u32* next = weighing.moves + place[lane];
            ROLLED for (u32 word = 0; word < moves.words; word++) {
                ROLLED for (u32 bits = me.row[moves.row + word]; bits != 0;) {
                    u32 four[4];
                    EACH_OF_FOUR(at) {
                        four[at] = bits == 0 ? NONE : read(job.sheet + moves.moves + WIDTH * word + lowest(bits));
                        bits &= bits - 1;
                    }
                    EACH_OF_FOUR(at) {
                        if (four[at] != NONE) *next++ = four[at] | lane << CODE_BITS;
                    }
                }
            }
        });
        warp.each([&](u32 thread, Lane&) { weigh(weighing, thread, all); });
        warp.each([&](u32 lane, Lane& me) {
            if (!(now >> lane & 1)) return;
            SharedOptions own = {count[lane], weighing.moves + place[lane], weighing.values + place[lane]};
            chosen[lane] = own.moves[choose_weighed(player_of(job, me), me, own)] & NO_CODE;
        });
        asking &= ~now;
    }
}
#endif

// The joint move is settled.
FN void play(const Job& job, Lane& me) {
    me.walked++;
    if (learns(player_of(job, me))) {
        EACH_ROLE(role)
            trail_of(me)[me.trail_steps * ROLES + role] = table_of(job).first_code[role] + me.joint[role];
        me.trail_steps++;
    }
    me.plays = 1;
}

// Lanes outside the tree that may play choose their moves.
FN void play_out(Warp& warp, const Job& job, Weighing& weighing, u32 phase) {
    const u32 playing = warp.ballot([](u32, Lane& me) { return me.is_playing != 0; });
    if (playing == 0) return;
    ROLLED for (u32 role = 0; role < ROLES; role++) {
        const RoleTable& moves = table_of(job).phases[phase].roles[role];
        PerLane<u32> chosen;
        warp.each([&](u32 lane, Lane& me) { chosen[lane] = me.is_playing ? pick_move(job, me, phase, role) : 0; });
#if LEARNS_SEQUENCES
        u32 asking = warp.ballot([&](u32 lane, Lane&) { return chosen[lane] == NONE; });
        if (asking != 0) choose_sequences(warp, job, weighing, asking, role, moves, chosen);
#endif
        warp.each([&](u32 lane, Lane& me) {
            if (!me.is_playing) return;
            if (count_legal(job, me, moves) > 1) note_choice(job, me, role, chosen[lane], me.row + moves.row, moves.words);
            set_joint(me, role, chosen[lane]);
        });
    }
    warp.each([&](u32, Lane& me) {
        if (me.is_playing) play(job, me);
        me.is_playing = 0;
    });
}
