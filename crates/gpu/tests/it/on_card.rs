//! The kernels on a GPU of this machine.

use crate::support::{Match, PLAYERS, on_all_cores};
use ludens_catalog::SHEETS;
use ludens_gpu::{Card, MemoryPlan, Sink};
use ludens_search::Played;

/// Collects games.
struct Collected(Vec<Option<Played>>);

impl Sink for Collected {
    fn finished(&mut self, game: usize, played: Option<Played>) {
        self.0[game] = played;
    }

    fn searched(&mut self, _: u64) {}

    fn is_stopped(&self) -> bool {
        false
    }
}

/// A card, or a visible skip.
fn card() -> Option<Card> {
    match Card::all() {
        Ok(cards) => cards.into_iter().next(),
        Err(error) => {
            println!("SKIPPED: {error}");
            None
        }
    }
}

fn assert_equal(card: &Card, game: &str, specs: &[&str], budget: &str, games: u64) {
    let played = Match::new(game, specs, budget, games);
    let mut collected = Collected(vec![None; games as usize]);
    // Several sheets share the card.
    let plan = MemoryPlan { seat_bytes: 4 << 20, memory: 0.04, warps: 0.04, lanes: usize::MAX };
    let time = card.play(&played.job(), plan, &mut collected).expect("the card plays");
    println!("{game}: {time:?}");
    played.compare(&collected.0);
}

/// One sheet if LUDENS_SHEET names it: a kernel that fails takes all others of its process with it.
#[test]
fn every_sheet_with_every_player_on_a_card() {
    let Some(card) = card() else { return };
    let games = 4 * PLAYERS.len() as u64;
    let only = std::env::var("LUDENS_SHEET").ok();
    let sheets: Vec<_> = SHEETS.iter().filter(|sheet| only.as_ref().is_none_or(|only| only == sheet.name)).collect();
    assert!(!sheets.is_empty(), "there is no sheet {only:?}");
    on_all_cores(&sheets, |sheet| {
        assert_equal(&card, &format!("gdl:{}", sheet.name), PLAYERS, "first=20,sims=12", games)
    });
}

#[test]
fn long_searches_on_a_card() {
    let Some(card) = card() else { return };
    let matches = [
        ("breakthrough", "sironi2021/mast"),
        ("breakthrough", "sironi2021/nst"),
        ("connect4", "sironi2021/nppa1"),
        ("connect4", "sironi2021/ppap032"),
        ("quad7", "tak2012/lgr-nst"),
        ("ttcc4-3p", "tak2012/mast"),
    ];
    on_all_cores(&matches, |(sheet, player)| {
        assert_equal(&card, &format!("gdl:{sheet}"), &[player, "sironi2021/random"], "sims=400", 16);
    });
}
