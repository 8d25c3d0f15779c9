//! The **numbering** of positions: from a placement of pieces to a rank and back.

mod advance;
mod batch;
mod bundle;
mod complete;
mod cursor;
mod exploration;
mod features;
mod forward_plan;
mod lanes;
mod layout;
mod legal;
mod legal_batch;
mod legal_starts;
mod lines;
mod material;
mod men;
mod pairs;
mod pawns;
mod placements;
mod plan;
mod ranked;
mod retractions;
mod rounds;
mod sets;
mod starts;
mod steps;
mod subsets;
mod successors;
mod tail;
mod unmoves;

pub use complete::CompleteUniverse;
pub use exploration::{Exploration, ExplorationError};
pub use lanes::{CHUNK, LANES};
pub use material::{Material, MaterialError};
pub use ranked::{NUMBERING_VERSION, RankedUniverse, UniverseError};
pub use sets::{Sets, SetsError};
