//! The **clausecker form** of positions, as clausecker/dobutsu writes them: `S/gle/-c-/-C-/ELG/-`.
//!
//! The side to move (`S` for sente, `G` for gote), the ranks with `-` for an empty square, and the
//! pieces in hand or `-`, all with `/` between them. Read, never written.

use crate::game::Game;

use super::position::{PositionForm, ReadPosition};
use super::position_error::{PositionError, PositionField};
use super::reader::{Gaps, Reader};

/// Whether a text begins like this form. No SFEN does: its ranks are longer.
pub(super) fn is_clausecker(game: &Game, text: &str) -> bool {
    game.family().clausecker && (text.starts_with("S/") || text.starts_with("G/"))
}

/// Reads side to move, board and hands.
pub(super) fn read(mut reader: Reader<'_>) -> Result<ReadPosition, PositionError> {
    reader.field = PositionField::Side;
    let side = reader.side(['S', 'G'], "`S` (sente) or `G` (gote)")?;
    reader.scanner.eat('/');
    reader.field = PositionField::Board;
    reader.board(Gaps::Dashes)?;
    reader.field = PositionField::Hands;
    if !reader.scanner.eat('/') {
        return Err(reader.expected("`/` and `-` or the letters of the pieces in hand"));
    }
    reader.hands()?;
    Ok(ReadPosition {
        position: reader.finish(side)?,
        form: PositionForm::Clausecker,
        number: None,
    })
}
