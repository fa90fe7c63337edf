//! The papers whose games are in the catalogue, by the names that presets have too.

/// T. Cazenave: Playout Policy Adaptation for Games. ACG 2015.
pub(super) const PPA: &str = "ppa2015";
/// T. Cazenave, E. Diemert: Memorizing the Playout Policy. CGW 2017.
pub(super) const PPAFM: &str = "ppafm2017";
/// J. Duguépéroux, A. Mazyad, F. Teytaud, J. Dehos: Pruning playouts in Monte-Carlo Tree Search for the game of Havannah. CG 2016.
pub(super) const PPR: &str = "ppr2016";
/// C. Sironi, T. Cazenave, M. Winands: Enhancing Playout Policy Adaptation for General Game Playing. MCS 2020 (2021).
pub(super) const SIRONI: &str = "sironi2021";
/// M. Tak, M. Winands, Y. Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing. TCIAIG 2012.
pub(super) const TAK: &str = "tak2012";
