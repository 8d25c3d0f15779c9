//! The **numbering** of positions: from a placement of pieces to a rank and back.

mod batch;
mod lanes;
mod layout;
mod material;
mod plan;
mod ranked;
mod starts;
mod steps;
mod subsets;
mod successors;
mod unmoves;

pub use material::{Material, MaterialError};
pub use ranked::{NUMBERING_VERSION, RankedUniverse, UniverseError};
