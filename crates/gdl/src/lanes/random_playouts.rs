//! Uniform playouts in all lanes of a block.

use super::block::{ComputeScores, LaneBlock, Transition};
use super::choose::Streams;
use super::column::{Column, WIDTH};
use super::evaluate::evaluate;
use super::program::Program;
use super::vectors::Kernel;
use crate::game::score;
use ludens_game::LanePlayouts;

/// What the lanes of a block are doing. Lanes that are in none of the sets wait for the phase of their home.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayoutsUnderWay {
    /// They play.
    playing: Column,
    /// Their game is over, and the score has not yet been looked at.
    over: Column,
    /// How many ticks lanes have spent waiting for their scores.
    waited: u64,
}

/// [`Lanes::random_playouts`](ludens_game::Lanes::random_playouts) for a block.
pub(super) struct RandomPlayouts<'a> {
    pub(super) block: &'a mut LaneBlock,
    pub(super) program: &'a Program,
    pub(super) phase: usize,
    pub(super) ticks: u64,
    pub(super) streams: Streams,
}

impl Kernel for RandomPlayouts<'_> {
    type Output = LanePlayouts;

    #[inline(always)]
    fn run(self) -> LanePlayouts {
        let RandomPlayouts { block, program, mut phase, ticks, mut streams } = self;
        let mut done = LanePlayouts { scores: vec![0.0; program.goal_slots.len()], ..LanePlayouts::default() };
        let patience = (program.goal_cost * WIDTH as f64) as u64;
        block.update_home(program);
        let nowhere = PlayoutsUnderWay { playing: Column::FALSE, over: Column::FALSE, waited: 0 };
        let mut lanes = block.under_way.take().unwrap_or(nowhere);
        for _ in 0..ticks {
            let here = &program.phases[phase];
            phase = (phase + 1) % program.phases.len();
            for role in &here.roles {
                role.tree.choose(&mut block.values, &mut block.scratch, &mut streams);
            }
            let homing = block.home_phases[phase] & !(lanes.playing | lanes.over);
            block.advance(program, here, Transition { moving: lanes.playing, homing });
            done.steps += u64::from(lanes.playing.count());
            let there = &program.phases[phase];
            evaluate(block.vectors, &there.legal, &mut block.values);
            lanes.playing = lanes.playing | homing;
            // A role that cannot move ends the game as well.
            let mut stuck = block.values[there.terminal as usize];
            for role in &there.roles {
                let any = role.legal.iter().fold(Column::FALSE, |any, &slot| any | block.values[slot as usize]);
                stuck = stuck | !any;
            }
            let ended = lanes.playing & stuck;
            lanes.playing = lanes.playing & !ended;
            lanes.over = lanes.over | ended;
            lanes.waited += u64::from(lanes.over.count());
            if lanes.waited > patience || lanes.playing.is_false() {
                block.ended = lanes.over;
                ComputeScores { block, program }.run();
                done.count += u64::from(lanes.over.count());
                add_scores(block, program, lanes.over, &mut done.scores);
                lanes.over = Column::FALSE;
                lanes.waited = 0;
            }
        }
        block.under_way = Some(lanes);
        done
    }
}

/// Adds up the scores of some lanes.
#[inline(always)]
fn add_scores(block: &LaneBlock, program: &Program, lanes: Column, sums: &mut [f64]) {
    let mut rest = &*block.goals;
    for (goals, sum) in program.goal_slots.iter().zip(sums) {
        let (columns, others) = rest.split_at(goals.len());
        rest = others;
        // Sound rules give every role exactly one goal.
        let mut once = Column::FALSE;
        let mut twice = Column::FALSE;
        for &column in columns {
            twice = twice | (once & column);
            once = once | column;
        }
        let sound = lanes & once & !twice;
        for (&(value, _), &column) in goals.iter().zip(columns) {
            *sum += f64::from((column & sound).count()) * score([value]);
        }
        (lanes & !sound).for_each(|lane| {
            let holding = goals.iter().zip(columns).filter(|(_, column)| column.get(lane));
            *sum += score(holding.map(|(&(value, _), _)| value));
        });
    }
}
