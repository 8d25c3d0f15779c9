//! The notation of positions and moves, from outside.

mod moves;
mod playouts;
mod positions;
