//! What a move **captures**: judged on the board with the man moved and nothing taken yet.

use super::board::{Board, DIRECTIONS, OTHER, OWN};
use super::game::NaiveHasami;

impl NaiveHasami {
    /// The squares of the men that the man who just moved to a square takes, each once, from the top
    /// left corner row by row.
    pub(super) fn captures(&self, board: &Board, to: (i32, i32)) -> Vec<(i32, i32)> {
        let mut taken = self.between(board, to);
        if self.corner {
            taken.extend(corners(board, to));
        }
        if self.edge {
            taken.extend(along_edges(board, to));
        }
        taken.sort_by_key(|&(x, y)| (y, x));
        taken.dedup();
        taken
    }

    /// Runs between the man that moved and another man of its side.
    fn between(&self, board: &Board, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        let mut taken = Vec::new();
        let closes = |at| self.corner_anchor || !board.corners().contains(&at);
        if !closes((x, y)) {
            return taken;
        }
        for (right, down) in DIRECTIONS {
            let mut run = Vec::new();
            let mut at = (x + right, y + down);
            while board.at(at) == Some(OTHER) {
                run.push(at);
                at = (at.0 + right, at.1 + down);
            }
            if board.at(at) == Some(OWN) && closes(at) {
                taken.append(&mut run);
            }
        }
        taken
    }
}

/// Men in corners between two men, one of whom just moved there.
fn corners(board: &Board, to: (i32, i32)) -> Vec<(i32, i32)> {
    let mut taken = Vec::new();
    for corner in board.corners() {
        if board.at(corner) == Some(OTHER)
            && board.neighbors(corner).all(|at| board.at(at) == Some(OWN))
            && board.neighbors(corner).any(|at| at == to)
        {
            taken.push(corner);
        }
    }
    taken
}

/// Runs along an edge that are shut in, by a man that just moved among others.
fn along_edges(board: &Board, to: (i32, i32)) -> Vec<(i32, i32)> {
    let (width, height) = (board.width, board.height);
    let edges: [Vec<(i32, i32)>; 4] = [
        (0..width).map(|x| (x, 0)).collect(),
        (0..width).map(|x| (x, height - 1)).collect(),
        (0..height).map(|y| (0, y)).collect(),
        (0..height).map(|y| (width - 1, y)).collect(),
    ];
    let mut taken = Vec::new();
    for edge in edges {
        for run in edge.split(|&at| board.at(at) != Some(OTHER)) {
            let around: Vec<(i32, i32)> = run
                .iter()
                .flat_map(|&at| board.neighbors(at))
                .filter(|at| !run.contains(at))
                .collect();
            if around.iter().all(|&at| board.at(at) == Some(OWN)) && around.contains(&to) {
                taken.extend(run);
            }
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use crate::naive_hasami::NaiveHasami;

    const PLAIN: NaiveHasami = NaiveHasami {
        width: 9,
        height: 9,
        men: 9,
        lose_at: 4,
        lead: None,
        corner: false,
        edge: false,
        corner_anchor: true,
    };

    /// What a move takes: columns and rows.
    fn taken(game: NaiveHasami, text: &str, from: (usize, usize), to: (usize, usize)) -> String {
        let width = text.split('/').next().unwrap().len();
        let game = NaiveHasami {
            width,
            height: text.split('/').count(),
            ..game
        };
        let found = game.moves(text);
        let found = found.iter().find(|m| (m.from, m.to) == (from, to));
        let taken: Vec<String> = found
            .expect("a move of the board")
            .taken
            .iter()
            .map(|(x, y)| format!("{x}{y}"))
            .collect();
        taken.join(" ")
    }

    /// Cases 99 and 100: line captures, the corner, the edge, and moving in between.
    #[test]
    fn cases_99_and_100() {
        let corner = NaiveHasami {
            corner: true,
            ..PLAIN
        };
        let edge = NaiveHasami {
            edge: true,
            ..PLAIN
        };
        let no_anchor = NaiveHasami {
            corner_anchor: false,
            ..PLAIN
        };
        // Three on the edge between two men, with men beneath.
        let line = ".Xooo..../..XXXX.../.........";
        for game in [PLAIN, corner, edge, no_anchor] {
            assert_eq!(taken(game, line, (5, 1), (5, 0)), "20 30 40");
        }
        // Two in a corner, shut in.
        let shut = "ooX../X..../.X.../.....";
        for game in [PLAIN, corner] {
            assert_eq!(taken(game, shut, (1, 2), (1, 1)), "");
        }
        assert_eq!(taken(edge, shut, (1, 2), (1, 1)), "00 10");
        let gap = "oo.X./X..../.X.../.....";
        assert_eq!(taken(edge, gap, (1, 2), (1, 1)), "");
        let friend = "oooX./X.o../.X.../.....";
        assert_eq!(taken(edge, friend, (1, 2), (1, 1)), "");
        // The last man must be one of those around.
        let elsewhere = "ooX../XX.../...X./.....";
        assert_eq!(taken(edge, elsewhere, (3, 2), (3, 1)), "");
        // One in a corner: by either rule.
        let cornered = "oX.../...../X..../.....";
        assert_eq!(taken(PLAIN, cornered, (0, 2), (0, 1)), "");
        for game in [corner, edge] {
            assert_eq!(taken(game, cornered, (0, 2), (0, 1)), "00");
        }
        // A man in a corner closes a line, or does not.
        let anchored = "Xoo.X/...../.....";
        assert_eq!(taken(PLAIN, anchored, (4, 0), (3, 0)), "10 20");
        assert_eq!(taken(no_anchor, anchored, (4, 0), (3, 0)), "");
        // Nor does one that moves there.
        let arrives = ".ooX./...../X....";
        assert_eq!(taken(PLAIN, arrives, (0, 2), (0, 0)), "10 20");
        assert_eq!(taken(no_anchor, arrives, (0, 2), (0, 0)), "");
        // Runs that no man ends stay; three directions at once.
        let all = "..X../..o../Xo.oX/..o../..X../.X...";
        assert_eq!(taken(PLAIN, all, (1, 5), (1, 3)), "");
        let all = "..X../..o../Xo..X/..oX./..X../.....";
        assert_eq!(taken(PLAIN, all, (4, 2), (2, 2)), "21 12 23");
        // Moving in between is safe, and moving away and back takes.
        let between = "o.o../.X.../.....";
        assert_eq!(taken(PLAIN, between, (1, 1), (1, 0)), "");
        let back = ".oX../X..../.....";
        assert_eq!(taken(PLAIN, back, (0, 1), (0, 0)), "10");
    }
}
