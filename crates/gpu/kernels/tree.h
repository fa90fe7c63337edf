// The tree of a lane, with the meaning of `tree.rs`: a node that was not met for two steps of the real game is dead and
// counts as absent. When there is no room for another search the living move together.

FN void set_joint(Lane& me, u32 role, u32 mv) {
    EACH_ROLE(other) me.joint[other] = other == role ? mv : me.joint[other];
}

FN bool is_alive(const Tree& tree, u32 node) { return tree.nodes[node].touched >= tree.oldest; }

FN void touch(Tree& tree, u32 node) { tree.nodes[node].touched = tree.step; }

// The arms of a role that decides at a node.
FN u32 first_arm(const Node& node, u32 role) {
    u32 first = node.first_arm;
    EACH_ROLE(other) first += other < role && node.counts[other] > 1 ? node.counts[other] : 0;
    return first;
}

FN u32 deciders(const Node& node) {
    u32 count = 0;
    EACH_ROLE(role) count += node.counts[role] > 1;
    return count;
}

// The node of a position.
FN u32 find(const Tree& tree, u64 hash) {
    u32 mask = 2 * tree.node_room - 1;
    for (u32 place = (u32)hash & mask;; place = (place + 1) & mask) {
        u32 entry = tree.by_hash[place];
        if (entry == 0) return NONE;
        if (tree.nodes[entry - 1].hash == hash) return is_alive(tree, entry - 1) ? entry - 1 : NONE;
    }
}

FN void enter_hash(Tree& tree, u32 node) {
    u32 mask = 2 * tree.node_room - 1;
    u64 hash = tree.nodes[node].hash;
    u32 place = (u32)hash & mask;
    while (tree.by_hash[place] != 0 && tree.nodes[tree.by_hash[place] - 1].hash != hash) place = (place + 1) & mask;
    tree.by_hash[place] = node + 1;
}

FN u32 joint_place(const Tree& tree, u32 parent, u64 index) {
    u32 mask = tree.joint_room - 1;
    u32 place = (u32)(spread(index * GOLDEN + parent) & mask);
    while (tree.joints[place].parent != 0 && (tree.joints[place].parent != parent + 1 || tree.joints[place].index != index))
        place = (place + 1) & mask;
    return place;
}

// The arms of all deciders as one number.
FN u64 joint_index(const Node& node, const u32* picked) {
    u64 index = 0;
    u32 last = deciders(node);
    for (u32 role = ROLES; role-- > 0;) {
        if (node.counts[role] > 1) index = index * node.counts[role] + picked[--last];
    }
    return index;
}

// The node that the picked arms lead to; `picked` has one arm per decider.
FN u32 child_of(const Tree& tree, u32 node, const u32* picked) {
    const Node& from = tree.nodes[node];
    u32 child = NONE;
    u32 count = deciders(from);
    if (!SIMULTANEOUS || count < 2) {
        u32 link = tree.arms[from.first_arm + (count == 1 ? picked[0] : 0)].child;
        child = link == 0 ? NONE : link - 1;
    } else if (tree.joint_room > 0) {
        const Joint& joint = tree.joints[joint_place(tree, node, joint_index(from, picked))];
        child = joint.parent == 0 ? NONE : joint.child;
    }
    return child != NONE && is_alive(tree, child) ? child : NONE;
}

// A node whose arms will be read after the next step.
FN void prefetch_arms(const Tree& tree, u32 node) {
    u32 first = tree.nodes[node].first_arm, arms = tree.nodes[node].arms;
    const u32 LINE = 128 / sizeof(Arm);
    ROLLED for (u32 arm = 0; arm < arms; arm += LINE) prefetch(tree.arms + first + arm);
    prefetch(tree.moves + first);
}

// What is done seldom works on a copy of the tree, so that the tree itself stays in registers. It says whether there was memory.
template <class F> FN void rarely(Lane& me, F work) {
    Tree copy = me.tree;
    if (!work(copy)) me.has_failed = NO_MEMORY;
    me.tree = copy;
}

OUTLINE bool grow_joints(const Job& job, Tree& tree) {
    Tree old = tree;
    u32 room = old.joint_room == 0 ? 64 : 2 * old.joint_room;
    Joint* joints = (Joint*)allocate(job, sizeof(Joint) * (u64)room);
    if (joints == 0) return false;
    tree.joints = joints;
    tree.joint_room = room;
    for (u32 place = 0; place < old.joint_room; place++) {
        Joint joint = old.joints[place];
        if (joint.parent != 0) joints[joint_place(tree, joint.parent - 1, joint.index)] = joint;
    }
    return true;
}

FN void link(const Job& job, Lane& me, u32 node, const u32* picked, u32 child) {
    Tree& tree = me.tree;
    const Node& from = tree.nodes[node];
    u32 count = deciders(from);
    if (!SIMULTANEOUS || count < 2) {
        // Children are kept as numbers plus one: memory that is zero has none.
        tree.arms[from.first_arm + (count == 1 ? picked[0] : 0)].child = child + 1;
        return;
    }
    if (2 * tree.joint_count >= tree.joint_room) rarely(me, [&](Tree& copy) { return grow_joints(job, copy); });
    if (me.has_failed) return;
    Joint& joint = tree.joints[joint_place(tree, node, joint_index(from, picked))];
    tree.joint_count += joint.parent == 0;
    joint.index = joint_index(from, picked);
    joint.parent = node + 1;
    joint.child = child;
}

FN void copy_words(void* to, const void* from, u64 bytes) {
    for (u64 word = 0; word < bytes / 8; word++) ((u64*)to)[word] = ((const u64*)from)[word];
}

OUTLINE bool grow_nodes(const Job& job, Tree& tree, u32 room, bool has_transpositions) {
    Node* nodes = (Node*)allocate(job, sizeof(Node) * (u64)room);
    u32* by_hash = (u32*)allocate(job, 8 * (u64)room);
    if (nodes == 0 || by_hash == 0) return false;
    copy_words(nodes, tree.nodes, sizeof(Node) * (u64)tree.node_count);
    tree.nodes = nodes;
    tree.by_hash = by_hash;
    tree.node_room = room;
    for (u32 node = 0; node < tree.node_count && has_transpositions; node++) enter_hash(tree, node);
    return true;
}

// Arms of a node, as expected at first: few of the moves are legal at the same time.
const u32 ARMS = MAX_MOVES < 32 ? 4 : MAX_MOVES < 128 ? MAX_MOVES / 8 : 16;

OUTLINE bool grow_arms(const Job& job, Tree& tree, u32 more) {
    u64 room = tree.arm_room;
    while (room < tree.arm_count + (u64)more) room = room == 0 ? ARMS * (u64)tree.node_room : 2 * room;
    Arm* arms = (Arm*)allocate(job, sizeof(Arm) * room);
    u32* moves = (u32*)allocate(job, 8 * ((room + 1) / 2));
    if (room > 0x7fffffff || arms == 0 || moves == 0) return false;
    copy_words(arms, tree.arms, sizeof(Arm) * (u64)tree.arm_count);
    copy_words(moves, tree.moves, 8 * (((u64)tree.arm_count + 1) / 2));
    tree.arms = arms;
    tree.moves = moves;
    tree.arm_room = (u32)room;
    return true;
}

// Room for a node with so many arms.
FN void reserve(const Job& job, Lane& me, u32 arms) {
    Tree& tree = me.tree;
    if (tree.node_count + 1 > tree.node_room) {
        const Player& player = player_of(job, me);
        u32 room = tree.node_room == 0 ? player.first_nodes : 2 * tree.node_room;
        rarely(me, [&](Tree& copy) { return grow_nodes(job, copy, room, player.has_transpositions); });
    }
    if (tree.arm_count + arms > tree.arm_room && !me.has_failed)
        rarely(me, [&](Tree& copy) { return grow_arms(job, copy, arms); });
}

FN void clear(Tree& tree) {
    ROLLED for (u32 place = 0; place < 2 * tree.node_room; place++) tree.by_hash[place] = 0;
    ROLLED for (u32 place = 0; place < tree.joint_room; place++) tree.joints[place].parent = 0;
    tree.node_count = tree.arm_count = tree.joint_count = 0;
    tree.root = NONE;
}

// The children of living nodes with several deciders, at their new places.
OUTLINE bool move_joints(const Job& job, Tree& tree) {
    Tree old = tree;
    Joint* joints = (Joint*)allocate(job, sizeof(Joint) * (u64)tree.joint_room);
    if (joints == 0) return false;
    tree.joints = joints;
    tree.joint_count = 0;
    for (u32 place = 0; place < old.joint_room; place++) {
        Joint joint = old.joints[place];
        if (joint.parent == 0 || !is_alive(tree, joint.parent - 1) || !is_alive(tree, joint.child)) continue;
        joint.parent = tree.nodes[joint.parent - 1].place + 1;
        joint.child = tree.nodes[joint.child].place;
        tree.joints[joint_place(tree, joint.parent - 1, joint.index)] = joint;
        tree.joint_count++;
    }
    return true;
}

// An arm on its way to another place.
struct MovedArm {
    Arm arm;
    u32 move, index;
};

struct MovedNode {
    Node node;
    u32 is_alive;
};

// Moves the living together, in their order. All lanes of the warp work on the tree of one of them.
FN void close_gaps(Warp& warp, const Job& job, Shared& shared) {
    Tree tree = shared.tree;
    u32 nodes = 0, arms = 0;
    ROLLED for (u32 first = 0; first < tree.node_count; first += WIDTH) {
        u32 alive = warp.ballot([&](u32 lane, Lane&) { return first + lane < tree.node_count && is_alive(tree, first + lane); });
        warp.each([&](u32 lane, Lane&) {
            if (alive >> lane & 1) tree.nodes[first + lane].place = nodes + count_ones(alive & ((1u << lane) - 1));
        });
        nodes += count_ones(alive);
    }
    warp.each([&](u32 lane, Lane&) {
        if (lane != 0) return;
        if (tree.root != NONE) shared.tree.root = tree.nodes[tree.root].place;
        shared.has_failed = SIMULTANEOUS && tree.joint_count > 0 && !move_joints(job, shared.tree) ? NO_MEMORY : NO_FAILURE;
    });
    ROLLED for (u32 first = 0; first < tree.node_count; first += WIDTH) {
        u32 alive = warp.ballot([&](u32 lane, Lane&) { return first + lane < tree.node_count && is_alive(tree, first + lane); });
        warp.each([&](u32 lane, Lane&) {
            if (alive >> lane & 1) shared.told[lane] = tree.nodes[first + lane].first_arm;
        });
        ROLLED for (; alive != 0; alive &= alive - 1) {
            Node& node = tree.nodes[first + lowest(alive)];
            u32 from = shared.told[lowest(alive)], count = node.arms, to = arms;
            bool has_children = !node.is_terminal;
            warp.in_rows<1>(
                0, (count + WIDTH - 1) / WIDTH * WIDTH,
                [&](u32 index) {
                    MovedArm moved = {{0.0, 0, 0}, 0, index};
                    if (index >= count) return moved;
                    moved.arm = tree.arms[from + index];
                    moved.move = tree.moves[from + index];
                    if (has_children && moved.arm.child != 0) {
                        const Node& child = tree.nodes[moved.arm.child - 1];
                        moved.arm.child = child.touched >= tree.oldest ? child.place + 1 : 0;
                    }
                    return moved;
                },
                [&](MovedArm moved) {
                    if (moved.index >= count) return;
                    tree.arms[to + moved.index] = moved.arm;
                    tree.moves[to + moved.index] = moved.move;
                    if (moved.index == 0) node.first_arm = to;
                });
            arms += count;
        }
    }
    warp.in_rows<1>(
        0, (tree.node_count + WIDTH - 1) / WIDTH * WIDTH,
        [&](u32 index) {
            MovedNode moved;
            moved.is_alive = index < tree.node_count && is_alive(tree, index);
            if (moved.is_alive) moved.node = tree.nodes[index];
            return moved;
        },
        [&](const MovedNode& moved) {
            if (moved.is_alive) tree.nodes[moved.node.place] = moved.node;
        });
    warp.each([&](u32 lane, Lane&) {
        for (u32 place = lane; place < 2 * tree.node_room; place += WIDTH) tree.by_hash[place] = 0;
        if (lane == 0) {
            shared.tree.node_count = nodes;
            shared.tree.arm_count = arms;
        }
    });
    warp.each([&](u32 lane, Lane&) {
        u32 mask = 2 * tree.node_room - 1;
        // The living have different hashes.
        ROLLED for (u32 node = lane; node < nodes; node += WIDTH) {
            u32 place = (u32)tree.nodes[node].hash & mask;
            ROLLED while (set_if(tree.by_hash + place, 0u, node + 1) != 0) place = (place + 1) & mask;
        }
    });
}

// The real game went on to a position with this hash; with transpositions.
FN void advance(const Job& job, Lane& me) {
    Tree& tree = me.tree;
    if (tree.node_room == 0) return;
    u32 root = find(tree, me.hash);
    tree.step++;
    tree.root = root;
    tree.oldest = tree.step < 2 ? 0 : tree.step - 2;
    // The root lives in any case, until the next step.
    if (root != NONE && !is_alive(tree, root)) tree.nodes[root].touched = tree.oldest;
    u64 more = player_of(job, me).expected + 1;
    u64 mean = tree.node_count == 0 ? 0 : tree.arm_count / tree.node_count + 1;
    me.is_crowded = tree.node_count + more > tree.node_room || tree.arm_count + more * mean > tree.arm_room;
}

// Walks over the bits of a row that are set.
struct Columns {
    const u32* row;
    u32 words, word, bits;
};

FN u32 next_column(Columns& columns) {
    ROLLED while (columns.bits == 0 && columns.word + 1 < columns.words) columns.bits = columns.row[++columns.word];
    if (columns.bits == 0) return NONE;
    u32 column = WIDTH * columns.word + lowest(columns.bits);
    columns.bits &= columns.bits - 1;
    return column;
}

// Legal moves of a role in the row of a lane.
FN u32 count_legal(const Job& job, const Lane& me, const RoleTable& moves) {
    u32 count = 0;
    ROLLED for (u32 word = 0; word < moves.words; word++) count += count_ones(me.row[moves.row + word]);
#if WAYS_OUT
    count = count == 0 ? 1 : count;
#endif
    return count;
}

// The legal move that has `nth` others before it.
FN u32 nth_legal(const Job& job, const Lane& me, const RoleTable& moves, u32 role, u32 nth) {
    ROLLED for (u32 word = 0; word < moves.words; word++) {
        u32 bits = me.row[moves.row + word];
        u32 here = count_ones(bits);
        if (nth < here) return read(job.sheet + moves.moves + WIDTH * word + nth_bit(bits, nth));
        nth -= here;
    }
    return WAYS_OUT ? table_of(job).moves[role] - 1 : 0;
}

// Adds the position of the lane to its tree; the scores count if the game is over there.
FN u32 add_node(const Job& job, Lane& me, u32 phase, bool is_over) {
    Tree& tree = me.tree;
    const PhaseTable& table = table_of(job).phases[phase];
    u32 arms = is_over ? ROLES : 0;
    ROLLED for (u32 role = 0; role < ROLES && !is_over; role++) {
        u32 count = count_legal(job, me, table.roles[role]);
        arms += count > 1 ? count : 0;
    }
    arms = arms == 0 ? 1 : arms;
    reserve(job, me, arms);
    if (me.has_failed) return 0;
    u32 id = tree.node_count++, arm = tree.arm_count;
    tree.arm_count += arms;
    ROLLED for (u32 place = arm; place < arm + arms; place++) tree.arms[place] = Arm{0.0, 0, 0};
    Node& node = tree.nodes[id];
    node.hash = me.hash;
    node.visits = node.place = 0;
    node.touched = tree.step;
    node.is_terminal = is_over;
    node.first_arm = arm;
    node.arms = arms;
    if (is_over) {
        EACH_ROLE(role) tree.arms[arm + role].score = me.scores[role];
    }
    ROLLED for (u32 role = 0; role < ROLES; role++) {
        const RoleTable& moves = table.roles[role];
        u32 count = is_over ? 0 : count_legal(job, me, moves);
        node.counts[role] = count;
        node.forced[role] = is_over ? 0 : nth_legal(job, me, moves, role, 0);
        if (count < 2) continue;
        ROLLED for (u32 word = 0; word < moves.words; word++) {
            ROLLED for (u32 bits = me.row[moves.row + word]; bits != 0; bits &= bits - 1)
                tree.moves[arm++] = read(job.sheet + moves.moves + WIDTH * word + lowest(bits));
        }
    }
    if (player_of(job, me).has_transpositions) enter_hash(tree, id);
    return id;
}

// What scores count for a move at a step: 1 for the last one, and for every step before it the player's discount less.
FN double discount(const Job& job, const Lane& me, u32 step) {
    if (!DISCOUNTS || !player_of(job, me).discounts) return 1.0;
    return job.discounts[me.player * DEEPEST + (me.walked - 1 - step)];
}

// Adds the scores of a simulation along its path.
FN void backup(const Job& job, Lane& me) {
    Tree& tree = me.tree;
    const u32* path = path_of(me);
    const u32* picked = picked_of(me);
    u32 next = 0;
    for (u32 index = 0; index < me.path_length; index++) {
        // The last node of a path is new, or its scores are known; only where depth ended it, arms were picked.
        if (index + 1 == me.path_length && next == me.picked_count) break;
        Node& node = tree.nodes[path[index]];
        node.visits++;
        u32 first = node.first_arm;
        double counted = discount(job, me, index);
        EACH_ROLE(role) {
            if (node.counts[role] < 2) continue;
            Arm& arm = tree.arms[first + picked[next++]];
            arm.visits++;
            arm.score += me.scores[role] * counted;
            first += node.counts[role];
        }
    }
}
