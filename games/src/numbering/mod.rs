//! The **numbering** of positions: from a placement of pieces to a rank and back.

mod layout;
mod material;
mod ranked;
mod starts;
mod steps;
mod subsets;
mod successors;
mod unmoves;

pub use material::{Material, MaterialError};
pub use ranked::{NUMBERING_VERSION, RankedUniverse, UniverseError};
