//! The list of all games, and how each is made from its parameters.

use super::Entry;
use super::objective::{Lose, Objective, Win};
use crate::params::{Domain, Param, Params};
use ludens_games::atarigo::{self, AtariGo, Suicide};
use ludens_games::breakthrough::{self, Breakthrough};
use ludens_games::domineering::{self, Domineering};
use ludens_games::go::{self, Go};
use ludens_games::goban;
use ludens_games::havannah::{self, Havannah};
use ludens_games::knightthrough::{self, Knightthrough};
use ludens_games::nogo::Nogo;
use ludens_search::Playable;
use std::sync::Arc;

/// All games, by name.
pub const GAMES: &[Entry] = &[
    ATARIGO,
    BREAKTHROUGH,
    DOMINEERING,
    GO,
    HAVANNAH,
    KNIGHTTHROUGH,
    Entry {
        name: "misere-breakthrough",
        about: "Breakthrough played to lose",
        build: breakthrough::<Lose>,
        ..BREAKTHROUGH
    },
    Entry {
        name: "misere-domineering",
        about: "Domineering played to lose",
        build: domineering::<Lose>,
        ..DOMINEERING
    },
    Entry {
        name: "misere-knightthrough",
        about: "Knightthrough played to lose",
        build: knightthrough::<Lose>,
        ..KNIGHTTHROUGH
    },
    Entry { name: "misere-nogo", about: "Nogo played to lose", build: nogo::<Lose>, ..NOGO },
    NOGO,
];

const ATARIGO: Entry = Entry {
    name: "atarigo",
    about: "Go in which the first capture wins",
    params: &[
        GOBAN,
        EYES,
        Param {
            name: "suicide",
            default: "illegal",
            domain: Domain::Word(&["illegal", "loses"]),
            about: "whether suicide (a stone left without liberties that captures nothing) is illegal or loses",
        },
    ],
    roles: goban::ROLES,
    build: atarigo::<Win>,
};

const BREAKTHROUGH: Entry = Entry {
    name: "breakthrough",
    about: "Bring a pawn to the last rank",
    params: &[Param {
        name: "size",
        default: "8x8",
        domain: Domain::Board {
            min: (breakthrough::MIN_WIDTH, breakthrough::MIN_HEIGHT),
            max: (breakthrough::MAX_SIDE, breakthrough::MAX_SIDE),
        },
        about: "files x ranks",
    }],
    roles: &["white", "black"],
    build: breakthrough::<Win>,
};

const DOMINEERING: Entry = Entry {
    name: "domineering",
    about: "Place dominoes, each role in its own direction; a role that cannot move loses",
    params: &[Param {
        name: "size",
        default: "8x8",
        domain: Domain::Board {
            min: (domineering::MIN_SIDE, domineering::MIN_SIDE),
            max: (domineering::MAX_SIDE, domineering::MAX_SIDE),
        },
        about: "files x ranks",
    }],
    roles: &["vertical", "horizontal"],
    build: domineering::<Win>,
};

const GO: Entry = Entry {
    name: "go",
    about: "Surround more area than the opponent; area scoring, simple ko, no suicide",
    params: &[
        GOBAN,
        Param {
            name: "komi",
            default: "7.5",
            domain: Domain::Halves { min: -361.0, max: 361.0 },
            about: "points for white, who moves second",
        },
        EYES,
    ],
    roles: goban::ROLES,
    build: go::<Win>,
};

const HAVANNAH: Entry = Entry {
    name: "havannah",
    about: "Complete a ring, a bridge or a fork on a board of hexagons",
    params: &[Param {
        name: "side",
        default: "8",
        domain: Domain::Side { min: havannah::MIN_SIDE, max: havannah::MAX_SIDE },
        about: "cells along an edge",
    }],
    roles: &["white", "black"],
    build: havannah::<Win>,
};

const KNIGHTTHROUGH: Entry = Entry {
    name: "knightthrough",
    about: "Bring a knight to the last rank, never moving back",
    params: &[Param {
        name: "size",
        default: "8x8",
        domain: Domain::Board {
            min: (knightthrough::MIN_WIDTH, knightthrough::MIN_HEIGHT),
            max: (knightthrough::MAX_SIDE, knightthrough::MAX_SIDE),
        },
        about: "files x ranks",
    }],
    roles: &["white", "black"],
    build: knightthrough::<Win>,
};

const NOGO: Entry = Entry {
    name: "nogo",
    about: "Go without captures or suicide; a role that cannot move loses",
    params: &[GOBAN],
    roles: goban::ROLES,
    build: nogo::<Win>,
};

/// The size of a Go board; the papers play on 5 and 8.
const GOBAN: Param = Param {
    name: "size",
    default: "8",
    domain: Domain::Square { min: goban::MIN_SIZE, max: goban::MAX_SIZE },
    about: "points along an edge",
};

const EYES: Param = Param {
    name: "eyes",
    default: "off",
    domain: Domain::Word(&["on", "off"]),
    about: "whether playouts avoid filling their own one-point eyes",
};

fn atarigo<A: Objective>(params: &Params) -> Arc<dyn Playable> {
    let size = params.side("size");
    let suicide = if params.is("suicide", "loses") { Suicide::Loses } else { Suicide::Illegal };
    let rules = atarigo::Rules { suicide, eyes: params.is("eyes", "on") };
    match goban::words(size) {
        1 => A::play(AtariGo::<1>::new(size, rules)),
        2 => A::play(AtariGo::<2>::new(size, rules)),
        _ => A::play(AtariGo::<6>::new(size, rules)),
    }
}

fn breakthrough<A: Objective>(params: &Params) -> Arc<dyn Playable> {
    match params.board("size") {
        (width, height) if width * height <= 64 => A::play(Breakthrough::<u64>::new(width, height)),
        (width, height) => A::play(Breakthrough::<u128>::new(width, height)),
    }
}

fn domineering<A: Objective>(params: &Params) -> Arc<dyn Playable> {
    match params.board("size") {
        (width, height) if width * height <= 64 => A::play(Domineering::<u64>::new(width, height)),
        (width, height) => A::play(Domineering::<u128>::new(width, height)),
    }
}

fn go<A: Objective>(params: &Params) -> Arc<dyn Playable> {
    let size = params.side("size");
    let rules = go::Rules { komi: params.halves("komi"), eyes: params.is("eyes", "on") };
    match goban::words(size) {
        1 => A::play(Go::<1>::new(size, rules)),
        2 => A::play(Go::<2>::new(size, rules)),
        _ => A::play(Go::<6>::new(size, rules)),
    }
}

fn havannah<A: Objective>(params: &Params) -> Arc<dyn Playable> {
    A::play(Havannah::new(params.side("side")))
}

fn knightthrough<A: Objective>(params: &Params) -> Arc<dyn Playable> {
    match params.board("size") {
        (width, height) if width * height <= 64 => A::play(Knightthrough::<u64>::new(width, height)),
        (width, height) => A::play(Knightthrough::<u128>::new(width, height)),
    }
}

fn nogo<A: Objective>(params: &Params) -> Arc<dyn Playable> {
    let size = params.side("size");
    match goban::words(size) {
        1 => A::play(Nogo::<1>::new(size)),
        2 => A::play(Nogo::<2>::new(size)),
        _ => A::play(Nogo::<6>::new(size)),
    }
}
