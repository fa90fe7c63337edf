// The rules: all lanes of a warp compute the gates of their positions together. A slot holds one bit per lane.
//
// A tape is a list of rows of 32 operations that do not need each other, so that every thread does one of them. Rows come in
// fours. A cycle is repeated as long as something grows in it.

enum StepKind { ROWS, CYCLE, GROW };

struct TapeStep {
    u32 kind, end;
};

// All ones if a bit is set.
FN u32 flip(u32 word, u32 bit) { return (u32)((int)(word << (31 - bit)) >> 31); }

// An operation: r = ((((a ^ xa) & (b ^ xb)) ^ xt) & (c ^ xc)) ^ xr. Slots are counted in bytes, flips are all ones or all zeros;
// operations that only fill a row have the target 0.
struct Op {
    u32 target, a, b, c;
    u32 xa, xb, xt, xc, xr;
};

FN u32& slot_at(u32* values, u32 offset) { return *(u32*)((u8*)values + offset); }

FN u32 gate(const Op& op, u32* values) {
    u32 both = ((slot_at(values, op.a) ^ op.xa) & (slot_at(values, op.b) ^ op.xb)) ^ op.xt;
    return (both & (slot_at(values, op.c) ^ op.xc)) ^ op.xr;
}

#if WIDE_OPS
struct Packed {
    u32 target, a, b, c;
};

FN Packed packed_at(const u32* ops, u32 index) {
    const u32* words = ops + 4 * (u64)index;
    return Packed{read(words), read(words + 1), read(words + 2), read(words + 3)};
}

FN Op unpacked(Packed op) {
    u32 c = op.c;
    return Op{4 * op.target, 4 * op.a,    4 * op.b,    4 * (c & 0x7ffffff), flip(c, 27),
              flip(c, 28),   flip(c, 29), flip(c, 30), flip(c, 31)};
}
#else
typedef u64 Packed;

FN Packed packed_at(const u32* ops, u32 index) {
#if ON_CARD
    return __ldg((const u64*)ops + index);
#else
    return ((const u64*)ops)[index];
#endif
}

// Sixteen bits for every slot: the highest and the two lowest are free for flips.
FN Op unpacked(Packed op) {
    u32 low = (u32)op, high = (u32)(op >> 32);
    return Op{low & 0x7ffc,
              low >> 16 & 0x7ffc,
              high & 0x7ffc,
              high >> 16 & 0x7ffc,
              sign_of_byte<3>(low),
              sign_of_byte<1>(high),
              flip(low, 0),
              sign_of_byte<3>(high),
              sign_of_byte<1>(low)};
}
#endif

// A value that grows in a cycle. Operations that only fill a row read slot 0, in which nothing ever grows.
struct Growth {
    u32 target, before, more;
};

FN void evaluate(Warp& warp, const Job& job, TapeTable tape, u32* values) {
    const TapeStep* steps = (const TapeStep*)(job.sheet + tape.steps);
    const u32* ops = job.sheet + tape.ops;
    u32 done = 0, cycle_step = 0, cycle_op = 0;
    for (u32 at = 0; at < tape.step_count;) {
        TapeStep step = {read(&steps[at].kind), read(&steps[at].end)};
        if (step.kind == ROWS) {
            warp.in_rows<4>(done, step.end, [&](u32 index) { return packed_at(ops, index); }, [&](Packed packed) {
                Op op = unpacked(packed);
                if (op.target != 0) slot_at(values, op.target) = gate(op, values);
            });
            done = step.end;
            at++;
        } else if (step.kind == CYCLE) {
            cycle_step = ++at;
            cycle_op = done;
        } else {
            // What grows in one row may be read in another: all four are read before one of them is written.
            u32 more = 0;
            warp.in_rows<4>(
                done, step.end,
                [&](u32 index) {
                    Op op = unpacked(packed_at(ops, index));
                    u32 before = slot_at(values, op.target);
                    return Growth{op.target, before, slot_at(values, op.a) & ~before};
                },
                [&](Growth growth) {
                    if (growth.more != 0) slot_at(values, growth.target) = growth.before | growth.more;
                    more |= growth.more;
                });
            u32 grown = warp.ballot([&](u32, Lane&) { return more != 0; });
            at = grown ? cycle_step : at + 1;
            done = grown ? cycle_op : step.end;
        }
    }
}

// Slots 0 and 1 are constant, then come the fluents.
const u32 FIRST_FLUENT = 2;

// Where all are after a step: legal moves, and whether their games are over. Those that left the rules have ended there.
FN void look(Warp& warp, const Job& job, u32 phase, u32 leaving, u32* values) {
    const PhaseTable& table = table_of(job).phases[phase];
    evaluate(warp, job, table.legal, values);
    ROLLED for (u32 role = 0; role < ROLES; role++) {
        const RoleTable& moves = table.roles[role];
        const u32* legal = job.sheet + moves.legal;
        ROLLED for (u32 word = 0; word < moves.words; word++) {
            u32 here = moves.count - WIDTH * word;
            if (moves.is_fixed) {
                u32 all = here < WIDTH ? (1u << here) - 1 : 0xffffffff;
                warp.each([&](u32, Lane& me) { me.row[moves.row + word] = all; });
            } else {
                warp.transpose([&](u32 column) { return column < here ? values[read(legal + WIDTH * word + column)] : 0; },
                               [&](u32, Lane& me, u32 bits) { me.row[moves.row + word] = bits; });
            }
        }
    }
    warp.each([&](u32 lane, Lane& me) {
        if (me.plays | me.rewinds) {
            me.is_over = values[table.terminal] >> lane & 1;
            me.is_scored = me.is_stuck = 0;
        }
        if (leaving >> lane & 1) {
            me.is_over = me.is_scored = me.is_stuck = 1;
            EACH_ROLE(role) me.scores[role] = 0.5;
        }
        me.plays = me.rewinds = 0;
    });
}

// Lanes that rewind go home, lanes that play go on, the others stay. Returns those that leave the rules.
FN u32 step(Warp& warp, const Job& job, u32& phase, u32* values, const u32* home) {
    const PhaseTable& table = table_of(job).phases[phase];
    u32 homing = warp.ballot([](u32, Lane& me) { return me.rewinds != 0; });
    u32 leaving = 0;
#if WAYS_OUT
    // Whoever has no move leaves the rules: the position stays, the game is over.
    leaving = warp.ballot([&](u32, Lane& me) {
        bool leaves = false;
        EACH_ROLE(role) leaves |= me.joint[role] + 1 == table_of(job).moves[role];
        return me.plays && leaves;
    });
#endif
    u32 playing = warp.ballot([](u32, Lane& me) { return me.plays != 0; }) & ~leaving;
    if (homing) {
        warp.each([&](u32 lane, Lane&) {
            for (u32 fluent = lane; fluent < FLUENTS; fluent += WIDTH) {
                u32* place = values + FIRST_FLUENT + fluent;
                *place = (home[fluent] & homing) | (*place & ~homing);
            }
        });
    }
    if (playing) {
        warp.each([&](u32 lane, Lane& me) {
            if (playing >> lane & 1) {
                EACH_ROLE(role) {
                    me.inputs[role] = read(job.sheet + table.roles[role].inputs + me.joint[role]);
                    set_bits(values + me.inputs[role], 1u << lane);
                }
            }
        });
        evaluate(warp, job, table.next, values);
        const u32* changes = job.sheet + table.changes;
        warp.each([&](u32 lane, Lane&) {
            for (u32 change = lane; change < table.change_count; change += WIDTH) {
                u32* place = values + read(changes + 2 * change);
                *place = (values[read(changes + 2 * change + 1)] & playing) | (*place & ~playing);
            }
        });
        warp.each([&](u32 lane, Lane& me) {
            if (playing >> lane & 1) {
                EACH_ROLE(role) values[me.inputs[role]] = 0;
            }
        });
    }
    phase = phase + 1 == PHASES ? 0 : phase + 1;
    return leaving;
}

// The scores of all lanes whose game is over and not yet scored.
FN void score(Warp& warp, const Job& job, u32* values) {
    const SheetTable& sheet = table_of(job);
    evaluate(warp, job, sheet.goals, values);
    warp.each([&](u32 lane, Lane& me) {
        if (!me.is_over || me.is_scored) return;
        const u32* goal = job.sheet + sheet.goal_values;
        EACH_ROLE(role) {
            double sum = 0.0, count = 0.0;
            ROLLED for (u32 index = 0; index < sheet.goal_counts[role]; index++, goal += 2) {
                if (values[read(goal + 1)] >> lane & 1) {
                    sum += (double)(int)read(goal);
                    count += 1.0;
                }
            }
            double score = count == 0.0 ? 0.5 : sum / count / 100.0;
            score = score < 0.0 ? 0.0 : score > 1.0 ? 1.0 : score;
            me.scores[role] = INVERTED ? 1.0 - score : score;
        }
        me.is_scored = 1;
    });
}

// The hashes of the positions of lanes that want one.
FN void hash(Warp& warp, const u32* values) {
    warp.each([](u32, Lane& me) {
        if (me.wants_hash) me.hash = 0;
    });
    ROLLED for (u32 word = 0; word < STATE_WORDS; word++) {
        ROLLED for (u32 half = 0; half < 2; half++) {
            u32 first = 64 * word + WIDTH * half;
            warp.transpose(
                [&](u32 column) { return first + column < FLUENTS ? values[FIRST_FLUENT + first + column] : 0; },
                [&](u32, Lane& me, u32 bits) {
                    if (me.wants_hash) me.hash ^= (u64)bits << (WIDTH * half);
                });
        }
        warp.each([](u32, Lane& me) {
            if (me.wants_hash) me.hash = spread(me.hash + GOLDEN);
        });
    }
    warp.each([](u32, Lane& me) {
        if (me.wants_hash && me.is_stuck) me.hash = ~me.hash;
        me.wants_hash = 0;
    });
}
