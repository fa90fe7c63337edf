// Whole games: every lane goes on with its search until it needs the rules; then all positions of the warp take one step.
// This is `simulate.rs`, `runner.rs`, `search.rs` and `play.rs` in one loop.

// Lanes of one game lie side by side; those that are left over stay idle.
const u32 GROUPS = WIDTH / ROLES;

FN u32 group_of(u32 lane) { return lane / ROLES < GROUPS ? lane / ROLES * ROLES : NONE; }

FN u32 group_bits(u32 lane) { return ROLES == WIDTH ? 0xffffffff : ((1u << ROLES) - 1) << group_of(lane); }

FN void begin_game(const Job& job, Lane& me, u32 game) {
    const SeatTask& task = job.tasks[(u64)game * ROLES + me.role];
    me.game = game;
    me.player = task.player;
    me.rng = rng_of(task.seed);
    me.random_seed = task.random_seed;
    me.total_simulations = me.total_steps = 0;
    me.length = 0;
    me.has_turned = me.is_new_game = 1;
    clear(me.tree);
    me.tree.step = me.tree.oldest = 0;
    // All states of the first phase have the phase of the initial one.
    me.root_phase = 0;
    me.stage = HOMING;
}

// The real game has gone on: what is left of what was learned.
FN void observe(const Job& job, Lane& me) {
    const Player& player = player_of(job, me);
    me.length++;
    me.root_phase = me.root_phase + 1 == PHASES ? 0 : me.root_phase + 1;
    me.has_turned = 1;
    me.is_new_game = 0;
    if (player.reuses) {
        advance(job, me);
    } else {
        clear(me.tree);
        me.tree.step++;
    }
    me.stage = ROOT;
}

FN void end_game(const Job& job, Lane& me) {
    Result& result = job.results[me.game];
    result.simulations[me.role] = me.total_simulations;
    result.steps[me.role] = me.total_steps;
    if (me.role == 0) {
        EACH_ROLE(role) result.scores[role] = me.scores[role];
        result.length = me.length;
        result.status = PLAYED;
    }
    me.stage = FETCH;
}

// The next simulations begin before the position has been looked at again.
FN void keep_root_moves(const Job& job, Lane& me, u32 phase) {
    if (!lists_legal(player_of(job, me))) return;
    ROLLED for (u32 role = 0; role < ROLES; role++) {
        const RoleTable& moves = table_of(job).phases[phase].roles[role];
        ROLLED for (u32 word = 0; word < moves.words; word++) root_mask_of(me, role)[word] = me.row[moves.row + word];
    }
}

// At the real position: begins a search, unless there is nothing to think about.
FN void begin_search(const Job& job, Lane& me, u32 phase) {
    const Player& player = player_of(job, me);
    const RoleTable& moves = table_of(job).phases[phase].roles[me.role];
    me.own_count = count_legal(job, me, moves);
    me.own_first = nth_legal(job, me, moves, me.role, 0);
    me.move = me.own_first;
    me.simulations = me.steps = 0;
    if (!player.searches) {
        if (me.own_count > 1) {
            Rng rng = rng_of(seed_at(me.random_seed, me.length));
            me.move = nth_legal(job, me, moves, me.role, below(rng, me.own_count));
        }
        me.stage = CHOSEN;
        return;
    }
    keep_root_moves(job, me, phase);
    bool thinks_anyway = player.thinks_always || (me.length == 0 && player.thinks_first);
    if (me.own_count == 1 && !thinks_anyway) {
        me.stage = CHOSEN;
        return;
    }
    if (!player.reuses) clear(me.tree);
    u32 root = me.tree.root;
    if (root == NONE && player.has_transpositions && me.tree.node_room > 0) root = find(me.tree, me.hash);
    if (root == NONE) root = add_node(job, me, phase, false);
    if (me.has_failed) return;
    me.tree.root = root;
    touch(me.tree, root);
    me.stage = HOME;
}

// The search is over: chooses.
FN void conclude(const Job& job, Lane& me) {
    fetch_add(job.queue + 2, 1u);
    me.total_simulations += me.simulations;
    if (me.own_count > 1) me.move = final_move(job, me);
    me.stage = CHOSEN;
}

// Whether the search has made all simulations or steps that it may.
FN bool is_spent(const Job& job, const Lane& me) {
    const Player& player = player_of(job, me);
    bool is_first = me.length == 0;
    return me.simulations >= (is_first ? player.first_simulations : player.simulations) ||
           me.steps >= (is_first ? player.first_steps : player.steps);
}

FN void visit(Lane& me, u32 node) {
    path_of(me)[me.path_length++] = node;
    touch(me.tree, node);
}

// Puts what is learned in the place of scores; see `Goals` in `settings.rs`.
FN void apply_goals(const Job& job, Lane& me) {
#if LEARNS_DIFFERENCES
    if (!player_of(job, me).learns_difference) return;
    double lead = me.scores[0] - me.scores[1];
    me.scores[0] = (1.0 + lead) / 2.0;
    me.scores[1] = (1.0 - lead) / 2.0;
#endif
}

// Leaves the tree.
FN void begin_playout(const Job& job, Lane& me) {
    u32 depth = player_of(job, me).depth;
    me.left = depth > me.walked ? depth - me.walked : 0;
    me.stage = PLAYOUT;
}

// Goes to the node that the picked arms lead to; where the tree has none, adds it.
FN void expand(const Job& job, Lane& me, u32 phase) {
    const Player& player = player_of(job, me);
    Tree& tree = me.tree;
    const u32* picked = picked_of(me) + me.picked_count - deciders(tree.nodes[me.node]);
    if (me.child == NONE && player.has_transpositions) {
        me.child = find(tree, me.hash);
        if (me.child != NONE) link(job, me, me.node, picked, me.child);
    }
    if (me.child != NONE && me.path_length < player.depth) {
        me.node = me.child;
        me.stage = NODE;
        if (!tree.nodes[me.node].is_terminal) return;
        visit(me, me.node);
        EACH_ROLE(role) me.scores[role] = tree.arms[tree.nodes[me.node].first_arm + role].score;
        // While this lane waits to learn, those that others wait for must not take their place.
        me.is_scored = 1;
        me.stage = OVER;
        return;
    }
    if (me.is_over) {
        if (!me.is_scored) return;
        apply_goals(job, me);
    }
    if (me.child == NONE) {
        u32 leaf = add_node(job, me, phase, me.is_over);
        if (me.has_failed) return;
        link(job, me, me.node, picked, leaf);
        if (COUNTS_LEAVES && player.counts_leaf && !me.is_over) {
            me.node = leaf;
            me.has_added = 1;
            me.stage = NODE;
            return;
        }
        path_of(me)[me.path_length++] = leaf;
        begin_playout(job, me);
        if (me.is_over) me.stage = OVER;
    } else {
        EACH_ROLE(role) me.scores[role] = me.is_over ? me.scores[role] : 0.5;
        me.stage = OVER;
    }
}

// Steps that lanes may lose by waiting for each other at the end of a simulation, for each that plays.
const u32 PATIENCE = 6;

// A lane at the end of a simulation waits until others are, too: they learn at the same time, and begin the next simulation
// together. Says whether they do: if waiting has cost enough, or if nobody else goes on.
FN bool is_learning_due(Warp& warp, u32& lost) {
    u32 waiting = warp.ballot([](u32, Lane& me) { return me.stage == OVER; });
    u32 resting = warp.ballot([](u32, Lane& me) { return me.stage == IDLE || me.stage == CHOSEN; });
    lost += count_ones(waiting);
    if (lost < PATIENCE * count_ones(~resting) && (waiting | resting) != 0xffffffff) return false;
    lost = 0;
    return true;
}

FN void playout(const Job& job, Lane& me, u32 phase) {
    if (me.is_over) {
        if (!me.is_scored) return;
        apply_goals(job, me);
        me.stage = OVER;
        return;
    }
    if (me.left == 0) {
        EACH_ROLE(role) me.scores[role] = 0.5;
        me.stage = OVER;
        return;
    }
    me.left--;
    me.is_playing = 1;
}

// A lane goes on until it plays or waits, in three parts: to the end of a simulation, learning, from its beginning. The stages
// follow each other so that lanes that do the same do it together.
FN void resume(const Job& job, Lane& me, u32 phase) {
    if (me.has_failed) return;
    const u32 next_phase = phase + 1 == PHASES ? 0 : phase + 1;
    if (me.stage == HOMING && next_phase == me.root_phase) {
        me.rewinds = me.wants_hash = 1;
        me.stage = ROOT;
        return;
    }
    if (me.stage == ROOT) {
        if (!me.is_over) {
            begin_search(job, me, phase);
        } else if (me.is_scored) {
            end_game(job, me);
        }
    }
    if (me.stage == BELOW) expand(job, me, phase);
    if (me.stage == PLAYOUT) playout(job, me, phase);
}

FN void end_simulation(const Job& job, Lane& me) {
    if (me.stage != OVER || me.has_failed) return;
    backup(job, me);
    if (learns(player_of(job, me))) learn(job, me);
    me.simulations++;
    me.new_simulations++;
    me.new_steps += me.walked;
    me.steps += me.walked;
    me.total_steps += me.walked;
    me.stage = HOME;
}

FN void begin_simulation(const Job& job, Lane& me, u32 phase) {
    if (me.has_failed) return;
    if (me.stage == HOME) {
        if (is_spent(job, me)) {
            conclude(job, me);
        } else if (phase == me.root_phase) {
            me.rewinds = 1;
            me.walked = me.path_length = me.picked_count = me.trail_steps = me.choice_count = me.has_added = 0;
            me.node = me.tree.root;
            me.stage = NODE;
        }
    }
    if (me.stage == NODE) {
        visit(me, me.node);
        u32 picked = me.picked_count;
        pick_arms(job, me, phase, me.walked == 0);
        play(job, me);
        if (COUNTS_LEAVES && me.has_added) {
            begin_playout(job, me);
        } else {
            me.child = child_of(me.tree, me.node, picked_of(me) + picked);
            if (me.child != NONE) prefetch_arms(me.tree, me.child);
            me.wants_hash = me.child == NONE && player_of(job, me).has_transpositions;
            me.stage = BELOW;
        }
    }
    if (me.stage == ADVANCE && phase == me.root_phase) {
        me.rewinds = me.plays = me.wants_hash = 1;
        me.stage = ADVANCED;
    }
}

// Lanes whose whole group has chosen learn the joint move; a group in which one has failed gives its game up.
FN void meet(Warp& warp, const Job& job, Shared& shared) {
    u32 chosen = warp.ballot([](u32, Lane& me) { return me.stage == CHOSEN; });
    u32 failed = warp.ballot([](u32, Lane& me) { return me.has_failed != NO_FAILURE; });
    u32 beyond = warp.ballot([](u32, Lane& me) { return me.has_failed == BEYOND; });
    if (chosen == 0 && failed == 0) return;
    warp.each([&](u32 lane, Lane& me) { shared.told[lane] = me.move; });
    warp.each([&](u32 lane, Lane& me) {
        if (me.stage < HOMING) return;
        u32 group = group_bits(lane);
        if (failed & group) {
            if (me.role == 0) job.results[me.game].status = beyond & group ? GIVEN_UP : STARVED;
            me.has_failed = me.plays = me.rewinds = 0;
            me.stage = FETCH;
        } else if ((chosen & group) == group) {
            EACH_ROLE(role) me.joint[role] = shared.told[group_of(lane) + role];
            if (job.searches_only) {
                end_game(job, me);
            } else if (me.length >= job.history) {
                me.has_failed = BEYOND;
            } else {
                u64 at = (u64)me.game * job.history + me.length;
                if (me.role == 0) {
                    EACH_ROLE(role) job.moves[at * ROLES + role] = me.joint[role];
                }
                me.stage = ADVANCE;
            }
        }
    });
}

// Groups without a game take the next one.
FN void fetch(Warp& warp, const Job& job, Shared& shared, u32* home) {
    u32 free = warp.ballot([](u32, Lane& me) { return me.stage == FETCH; });
    if (free == 0) return;
    warp.each([&](u32 lane, Lane& me) {
        if (me.stage == FETCH && me.role == 0) shared.told[lane] = fetch_add(job.queue, 1u);
    });
    warp.each([&](u32 lane, Lane& me) {
        if (me.stage != FETCH) return;
        u32 game = shared.told[group_of(lane)];
        if (game < job.games) {
            begin_game(job, me, game);
        } else {
            me.stage = IDLE;
        }
    });
    u32 begun = warp.ballot([](u32, Lane& me) { return me.stage == HOMING && me.length == 0; });
    const u32* initial = job.sheet + table_of(job).initial;
    warp.each([&](u32 lane, Lane&) {
        for (u32 fluent = lane; fluent < FLUENTS; fluent += WIDTH) {
            u32 holds = read(initial + fluent / 32) >> (fluent % 32) & 1;
            home[fluent] = (home[fluent] & ~begun) | (holds ? begun : 0);
        }
    });
}

// Sweeps the tables of lanes whose real game has gone on or begins, and makes room in their trees.
FN void sweep_all(Warp& warp, const Job& job, Shared& shared) {
    u32 turned = warp.ballot([](u32, Lane& me) { return me.has_turned != 0; });
    u32 crowded = warp.ballot([](u32, Lane& me) { return me.is_crowded != 0; });
    for (; turned != 0; turned &= turned - 1) {
        u32 owner = lowest(turned);
        warp.each([&](u32 lane, Lane& me) {
            if (lane != owner) return;
            turn(job, me);
            shared.tree = me.tree;
            shared.store = me.store;
            shared.grams = me.grams;
            shared.contexts = me.contexts;
            shared.player = me.player;
            shared.is_new_game = me.is_new_game;
            me.has_turned = me.is_new_game = me.is_crowded = 0;
        });
        warp.each([&](u32 lane, Lane&) { sweep(job, shared, lane); });
        if (!(crowded >> owner & 1)) continue;
        close_gaps(warp, job, shared);
        warp.each([&](u32 lane, Lane& me) {
            if (lane != owner) return;
            me.tree = shared.tree;
            me.has_failed |= shared.has_failed;
        });
    }
}

// Lanes whose positions became real ones make them their homes, and keep what is left of what they learned.
FN void settle(Warp& warp, const Job& job, const u32* values, u32* home) {
    u32 advanced = warp.ballot([](u32, Lane& me) { return me.stage == ADVANCED; });
    if (advanced == 0) return;
    warp.each([&](u32 lane, Lane&) {
        for (u32 fluent = lane; fluent < FLUENTS; fluent += WIDTH)
            home[fluent] = (home[fluent] & ~advanced) | (values[FIRST_FLUENT + fluent] & advanced);
    });
    warp.each([&](u32, Lane& me) {
        if (me.stage == ADVANCED) observe(job, me);
    });
}

// Computes the scores if enough lanes wait for them: if waiting has cost as much as that will, or if nobody else goes on.
FN void score_if_due(Warp& warp, const Job& job, u32* values, u32& lost) {
    u32 waiting = warp.ballot([&](u32, Lane& me) {
        bool may_expand = me.stage == BELOW && (me.child == NONE || me.path_length >= player_of(job, me).depth);
        bool is_waiting = me.stage == PLAYOUT || me.stage == ROOT || me.stage == ADVANCED || may_expand;
        return is_waiting && me.is_over && !me.is_scored;
    });
    u32 resting = warp.ballot([](u32, Lane& me) { return me.stage == IDLE || me.stage == CHOSEN || me.stage == OVER; });
    if (waiting == 0) return;
    lost += count_ones(waiting);
    if (WIDTH * lost >= GOAL_PATIENCE * count_ones(~resting) || (waiting | resting) == 0xffffffff) {
        score(warp, job, values);
        lost = 0;
    }
}

FN void make_lane(const Job& job, Lane& me, u32 lane) {
    if (me.stage != NEW) return;
    me.stage = IDLE;
    me.tree.root = NONE;
    me.grams.epoch = me.pairs.epoch = me.contexts.epoch = 1;
    if (lane >= job.width || group_of(lane) == NONE) return;
    me.role = lane % ROLES;
    me.store = allocate(job, STORE_SIZE);
    if (me.store != 0) me.stage = FETCH;
}

// What a warp remembers between launches: the phase, what waiting for scores and for learning has cost, positions and homes.
struct WarpState {
    u32 phase, lost_scoring, lost_learning;
    u32 positions[FLUENTS], home[FLUENTS];
#if WEIGHS_OUTSIDE
    Weighing weighing;
#endif
};

// Makes so many steps with one warp; whether it has more to do.
FN bool run_warp(Warp& warp, const Job& job, WarpState& state, Shared& shared, u32* values, u32* home) {
    u32 phase = state.phase, lost_scoring = state.lost_scoring, lost_learning = state.lost_learning;
    warp.each([&](u32 lane, Lane& me) {
        for (u32 slot = lane; slot < SLOTS; slot += WIDTH) {
            bool is_fluent = slot >= FIRST_FLUENT && slot < FIRST_FLUENT + FLUENTS;
            values[slot] = slot == 1 ? 0xffffffff : is_fluent ? state.positions[slot - FIRST_FLUENT] : 0;
        }
        for (u32 fluent = lane; fluent < FLUENTS; fluent += WIDTH) home[fluent] = state.home[fluent];
        me.row = warp.row_of(lane);
        make_lane(job, me, lane);
    });
    u32 active = 0, leaving = 0;
    for (u32 tick = 0;; tick++) {
        look(warp, job, phase, leaving, values);
        if (tick == job.ticks) break;
        if (warp.ballot([](u32, Lane& me) { return me.wants_hash != 0; })) hash(warp, values);
        score_if_due(warp, job, values, lost_scoring);
        settle(warp, job, values, home);
        sweep_all(warp, job, shared);
        bool learns_now = is_learning_due(warp, lost_learning);
        warp.each([&](u32, Lane& me) { resume(job, me, phase); });
#if WEIGHS_OUTSIDE
        play_out(warp, job, state.weighing, phase);
#else
        play_out(warp, job, shared.weighing, phase);
#endif
        if (learns_now) {
#if LEARNS_WEIGHTS || LEARNS_GRAMS
            learn_together(warp, job, shared);
#endif
            warp.each([&](u32, Lane& me) { end_simulation(job, me); });
        }
        warp.each([&](u32, Lane& me) { begin_simulation(job, me, phase); });
        meet(warp, job, shared);
        fetch(warp, job, shared, home);
        active = warp.ballot([](u32, Lane& me) { return me.stage != IDLE; });
        if (active == 0) break;
        leaving = step(warp, job, phase, values, home);
    }
    warp.each([&](u32 lane, Lane&) {
        for (u32 fluent = lane; fluent < FLUENTS; fluent += WIDTH) {
            state.positions[fluent] = values[FIRST_FLUENT + fluent];
            state.home[fluent] = home[fluent];
        }
        if (lane == 0) {
            state.phase = phase;
            state.lost_scoring = lost_scoring;
            state.lost_learning = lost_learning;
        }
    });
    warp.each([&](u32, Lane& me) {
        fetch_add(job.counts + 1, (u64)me.new_simulations);
        fetch_add(job.counts + 2, (u64)me.new_steps);
        me.new_simulations = me.new_steps = 0;
    });
    return active != 0;
}
