//! Pieces: names, owners and the one letter with which each is drawn.

use super::Evidence;
use super::shape::Skeleton;
use crate::terms::TermId;
use ludens_game::{Piece, Role};

/// The piece that some values mean: named after them, or after the relation if there are none.
pub(super) fn named(evidence: Evidence<'_>, skeleton: &Skeleton, values: &[TermId]) -> Piece {
    let symbols = evidence.symbols;
    let words: Vec<_> = values.iter().map(|&value| evidence.terms.text(value, symbols)).collect();
    let name = if words.is_empty() { symbols.name(skeleton[0].0).to_owned() } else { words.join(" ") };
    let role = values.iter().find_map(|&value| owner(evidence, value)).or_else(|| owner_by_name(evidence, &name));
    Piece { name, glyph: '?', ascii: '?', role }
}

/// The role that a value is, or that a fact of the rules connects it with.
fn owner(evidence: Evidence<'_>, value: TermId) -> Option<Role> {
    let roles = &evidence.background.roles;
    let role_of = |term: TermId| roles.iter().position(|&role| role == term).map(|index| Role(index as u8));
    role_of(value).or_else(|| {
        let mut owners = evidence.background.facts.iter().filter_map(|(_, args)| {
            let mut roles = args.iter().filter_map(|&arg| role_of(arg));
            let (role, None) = (roles.next()?, roles.next()) else { return None };
            args.contains(&value).then_some(role)
        });
        let first = owners.next()?;
        owners.all(|role| role == first).then_some(first)
    })
}

/// The only role whose name and the piece's name begin alike.
fn owner_by_name(evidence: Evidence<'_>, name: &str) -> Option<Role> {
    let roles = evidence.background.roles.iter().map(|&role| evidence.terms.text(role, evidence.symbols));
    let name = name.to_ascii_lowercase();
    let alike = |role: &String| {
        let role = role.to_ascii_lowercase();
        role.starts_with(&name) || (role.len() > 1 && name.starts_with(&role))
    };
    let mut found = roles.enumerate().filter(|(_, role)| alike(role)).map(|(index, _)| Role(index as u8));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Gives every piece a letter of its own as far as there are letters. Pieces of the first role are upper case.
pub(super) fn choose(evidence: Evidence<'_>, pieces: &mut [Piece]) {
    let role_names: Vec<_> = (evidence.background.roles.iter())
        .map(|&role| evidence.terms.text(role, evidence.symbols).to_ascii_lowercase())
        .collect();
    let mut taken: Vec<(char, String)> = Vec::new();
    for piece in pieces {
        let spare = ('a'..='z').chain('A'..='Z').chain('0'..='9');
        let is_free = |c: &char| taken.iter().all(|(other, name)| other != c || *name == piece.name);
        let letter = letters(piece, &role_names).into_iter().chain(spare).find(is_free).unwrap_or('?');
        taken.push((letter, piece.name.clone()));
        (piece.glyph, piece.ascii) = (letter, letter);
    }
}

/// The letters that suit a piece, the best first.
fn letters(piece: &Piece, roles: &[String]) -> Vec<char> {
    let name = piece.name.to_ascii_lowercase();
    // `white pawn`, `whitePawn` and `wp` are best told apart by what comes behind the owner.
    let owner = piece.role.map_or("", |role| &roles[role.index()]);
    let shared = name.bytes().zip(owner.bytes()).take_while(|(left, right)| left == right).count();
    let own_part = if shared == owner.len() || (shared == 1 && name.len() == 2) { &name[shared..] } else { &name };
    let of = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<Vec<_>>();
    let mut wanted = of(own_part);
    wanted.extend(of(&name));
    let case =
        |upper: bool| wanted.iter().map(move |c| if upper { c.to_ascii_uppercase() } else { *c }).collect::<Vec<_>>();
    let upper_first = piece.role == Some(Role(0));
    let (first, second) = (case(upper_first), case(!upper_first));
    first.into_iter().zip(second).flat_map(|(first, second)| [first, second]).collect()
}
