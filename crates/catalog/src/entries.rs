//! The list of all games, and how each is made from its parameters.

use super::Entry;
use super::objective::with_objective;
use ludens_games::atarigo::{self, AtariGo, Suicide};
use ludens_games::breakthrough::{self, Breakthrough};
use ludens_games::domineering::{self, Domineering};
use ludens_games::go::{self, Go};
use ludens_games::goban;
use ludens_games::havannah::{self, Havannah};
use ludens_games::knightthrough::{self, Knightthrough};
use ludens_games::nogo::Nogo;
use ludens_search::{Args, Param, Playable};
use std::sync::Arc;

/// All games, by name. A static, not a constant: every crate that mentions a constant compiles all games again.
pub static GAMES: &[Entry] = &[
    ATARIGO,
    BREAKTHROUGH,
    DOMINEERING,
    GO,
    HAVANNAH,
    KNIGHTTHROUGH,
    Entry {
        name: "misere-breakthrough",
        about: "Breakthrough played to lose",
        build: |args| breakthrough(args, true),
        ..BREAKTHROUGH
    },
    Entry {
        name: "misere-domineering",
        about: "Domineering played to lose",
        build: |args| domineering(args, true),
        ..DOMINEERING
    },
    Entry {
        name: "misere-knightthrough",
        about: "Knightthrough played to lose",
        build: |args| knightthrough(args, true),
        ..KNIGHTTHROUGH
    },
    Entry { name: "misere-nogo", about: "Nogo played to lose", build: |args| nogo(args, true), ..NOGO },
    NOGO,
];

const ATARIGO: Entry = Entry {
    name: "atarigo",
    about: "Go in which the first capture wins",
    params: &[
        GOBAN,
        EYES,
        Param::word(
            "suicide",
            &["illegal", "loses"],
            "whether suicide (a stone left without liberties that captures nothing) is illegal or loses",
        ),
    ],
    roles: goban::ROLES,
    build: atarigo,
};

const BREAKTHROUGH: Entry = Entry {
    name: "breakthrough",
    about: "Bring a pawn to the last rank",
    params: &[files_and_ranks((breakthrough::MIN_WIDTH, breakthrough::MIN_HEIGHT), breakthrough::MAX_SIDE)],
    roles: &["white", "black"],
    build: |args| breakthrough(args, false),
};

const DOMINEERING: Entry = Entry {
    name: "domineering",
    about: "Place dominoes, each role in its own direction; a role that cannot move loses",
    params: &[files_and_ranks((domineering::MIN_SIDE, domineering::MIN_SIDE), domineering::MAX_SIDE)],
    roles: &["vertical", "horizontal"],
    build: |args| domineering(args, false),
};

const GO: Entry = Entry {
    name: "go",
    about: "Surround more area than the opponent; area scoring, simple ko, no suicide",
    params: &[GOBAN, Param::halves("komi", 7.5, (-361.0, 361.0), "points for white, who moves second"), EYES],
    roles: goban::ROLES,
    build: go,
};

const HAVANNAH: Entry = Entry {
    name: "havannah",
    about: "Complete a ring, a bridge or a fork on a board of hexagons",
    params: &[Param::whole("side", 8, (havannah::MIN_SIDE as u64, havannah::MAX_SIDE as u64), "cells along an edge")],
    roles: &["white", "black"],
    build: havannah,
};

const KNIGHTTHROUGH: Entry = Entry {
    name: "knightthrough",
    about: "Bring a knight to the last rank, never moving back",
    params: &[files_and_ranks((knightthrough::MIN_WIDTH, knightthrough::MIN_HEIGHT), knightthrough::MAX_SIDE)],
    roles: &["white", "black"],
    build: |args| knightthrough(args, false),
};

const NOGO: Entry = Entry {
    name: "nogo",
    about: "Go without captures or suicide; a role that cannot move loses",
    params: &[GOBAN],
    roles: goban::ROLES,
    build: |args| nogo(args, false),
};

/// The size of a rectangular board; the papers play on 5x5 and 8x8.
const fn files_and_ranks(min: (usize, usize), max_side: usize) -> Param {
    Param::board("size", 8, (min, (max_side, max_side)), "files x ranks")
}

/// The size of a Go board; the papers play on 5 and 8.
const GOBAN: Param = Param::square("size", 8, (goban::MIN_SIZE, goban::MAX_SIZE), "points along an edge");

const EYES: Param = Param::switch("eyes", "whether playouts avoid filling their own one-point eyes");

fn atarigo(args: &Args) -> Arc<dyn Playable> {
    let size = args.side("size");
    let suicide = if args.word("suicide") == "loses" { Suicide::Loses } else { Suicide::Illegal };
    let rules = atarigo::Rules { suicide, eyes: args.on("eyes") };
    match goban::words(size) {
        1 => Arc::new(AtariGo::<1>::new(size, rules)),
        2 => Arc::new(AtariGo::<2>::new(size, rules)),
        _ => Arc::new(AtariGo::<6>::new(size, rules)),
    }
}

fn breakthrough(args: &Args, is_misere: bool) -> Arc<dyn Playable> {
    match args.board("size") {
        (width, height) if width * height <= 64 => with_objective(Breakthrough::<u64>::new(width, height), is_misere),
        (width, height) => with_objective(Breakthrough::<u128>::new(width, height), is_misere),
    }
}

fn domineering(args: &Args, is_misere: bool) -> Arc<dyn Playable> {
    match args.board("size") {
        (width, height) if width * height <= 64 => with_objective(Domineering::<u64>::new(width, height), is_misere),
        (width, height) => with_objective(Domineering::<u128>::new(width, height), is_misere),
    }
}

fn go(args: &Args) -> Arc<dyn Playable> {
    let size = args.side("size");
    let rules = go::Rules { komi: args.number("komi"), eyes: args.on("eyes") };
    match goban::words(size) {
        1 => Arc::new(Go::<1>::new(size, rules)),
        2 => Arc::new(Go::<2>::new(size, rules)),
        _ => Arc::new(Go::<6>::new(size, rules)),
    }
}

fn havannah(args: &Args) -> Arc<dyn Playable> {
    Arc::new(Havannah::new(args.side("side")))
}

fn knightthrough(args: &Args, is_misere: bool) -> Arc<dyn Playable> {
    match args.board("size") {
        (width, height) if width * height <= 64 => with_objective(Knightthrough::<u64>::new(width, height), is_misere),
        (width, height) => with_objective(Knightthrough::<u128>::new(width, height), is_misere),
    }
}

fn nogo(args: &Args, is_misere: bool) -> Arc<dyn Playable> {
    let size = args.side("size");
    match goban::words(size) {
        1 => with_objective(Nogo::<1>::new(size), is_misere),
        2 => with_objective(Nogo::<2>::new(size), is_misere),
        _ => with_objective(Nogo::<6>::new(size), is_misere),
    }
}
