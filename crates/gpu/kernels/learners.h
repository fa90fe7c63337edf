// Lanes at the end of a simulation learn what takes long, one after the other: all threads of the warp work for one of them.

#if LEARNS_WEIGHTS || LEARNS_GRAMS
// What all threads need to know of the lane that learns.
FN Lane learner(Warp& warp, u32 owner) {
    Lane me = {};
    me.player = warp.of(owner, [](const Lane& own) { return own.player; });
    me.root_phase = warp.of(owner, [](const Lane& own) { return own.root_phase; });
    me.walked = warp.of(owner, [](const Lane& own) { return own.walked; });
    me.trail_steps = warp.of(owner, [](const Lane& own) { return own.trail_steps; });
    me.choice_count = warp.of(owner, [](const Lane& own) { return own.choice_count; });
    me.store = warp.of(owner, [](const Lane& own) { return own.store; });
    EACH_ROLE(role) me.scores[role] = warp.of(owner, [&](const Lane& own) { return own.scores[role]; });
#if LEARNS_MEANS && LEARNS_GRAMS
    me.grams = warp.of(owner, [](const Lane& own) { return own.grams; });
#endif
#if LEARNS_WEIGHTS && LEARNS_GRAMS
    me.stamp = warp.of(owner, [](const Lane& own) { return own.stamp; });
    me.contexts = warp.of(owner, [](const Lane& own) { return own.contexts; });
    me.chunks = warp.of(owner, [](const Lane& own) { return own.chunks; });
    me.pending = warp.of(owner, [](const Lane& own) { return own.pending; });
    me.pending_room = warp.of(owner, [](const Lane& own) { return own.pending_room; });
#endif
    return me;
}

FN void learn_of(Warp& warp, const Job& job, Shared& shared, u32 owner) {
    Lane me = learner(warp, owner);
    const u32 main = player_of(job, me).main;
#if LEARNS_MEANS && LEARNS_GRAMS
    if (main == NST) learn_sequence_means(warp, job, shared, me);
#endif
#if LEARNS_WEIGHTS
    if (main >= PPA) list_lessons(warp, job, me);
#if LEARNS_GRAMS
    if (main == NPPA) learn_sequences(warp, job, shared, me);
#endif
    if (main >= PPA && !me.has_failed) learn_weights(warp, job, shared, me);
#endif
    warp.each([&](u32 lane, Lane& own) {
        if (lane != owner) return;
        own.has_failed = me.has_failed;
#if LEARNS_MEANS && LEARNS_GRAMS
        own.grams = me.grams;
#endif
#if LEARNS_WEIGHTS && LEARNS_GRAMS
        own.stamp = me.stamp;
        own.contexts = me.contexts;
        own.chunks = me.chunks;
        own.pending = me.pending;
        own.pending_room = me.pending_room;
#endif
    });
}

FN void learn_together(Warp& warp, const Job& job, Shared& shared) {
    u32 learners = warp.ballot([&](u32, Lane& me) { return me.stage == OVER && !me.has_failed && player_of(job, me).main >= NST; });
    ROLLED for (; learners != 0; learners &= learners - 1) learn_of(warp, job, shared, lowest(learners));
}
#endif
