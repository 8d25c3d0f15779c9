//! **Captures**: which men a move takes.
//!
//! All are judged on the board after the move, before anything is removed. A man that moves between
//! two men of the other side is safe: only whoever moves captures.

use super::grid::{Grid, Square, Squares, each, one};
use super::options::Rules;

/// What the capture rules need of a board, precomputed.
#[derive(Clone, Debug)]
pub(crate) struct Captures {
    rules: Rules,
    /// From each square in each direction: the squares on the way to the edge, the nearest first.
    rays: Vec<[Vec<Square>; 4]>,
    /// The squares that can be an end of a line: all, or all but the corners.
    anchors: Squares,
    /// Next to each square that touches a corner, if the rule is on: the corner and its neighbors.
    corners: Vec<(Square, Squares)>,
    /// The squares of each edge, in order.
    edges: Vec<Vec<Square>>,
    neighbors: Vec<Squares>,
}

impl Captures {
    pub(crate) fn new(grid: Grid, rules: &Rules) -> Captures {
        let corners = grid.corners();
        let rays = (0..grid.squares())
            .map(|square| {
                super::grid::STEPS.map(|step| {
                    std::iter::successors(grid.step(square, step), |&at| grid.step(at, step))
                        .collect()
                })
            })
            .collect();
        let excluded = corners.iter().fold(0, |set, &corner| set | one(corner));
        let (width, height) = (grid.width(), grid.height());
        let rank = |rank| {
            (0..width)
                .map(move |file| grid.square(file, rank))
                .collect()
        };
        let file = |file| {
            (0..height)
                .map(move |rank| grid.square(file, rank))
                .collect()
        };
        Captures {
            rules: *rules,
            rays,
            anchors: if rules.corner_anchor {
                grid.all()
            } else {
                grid.all() & !excluded
            },
            corners: corners
                .iter()
                .map(|&corner| (corner, grid.neighbors(corner)))
                .filter(|_| rules.corner)
                .collect(),
            edges: if rules.edge {
                vec![rank(0), rank(height - 1), file(0), file(width - 1)]
            } else {
                Vec::new()
            },
            neighbors: (0..grid.squares())
                .map(|square| grid.neighbors(square))
                .collect(),
        }
    }

    /// From a square in each direction, the squares on the way to the edge, the nearest first.
    #[inline(always)]
    pub(crate) fn rays(&self, square: Square) -> &[Vec<Square>; 4] {
        &self.rays[usize::from(square)]
    }

    /// The men of the other side that are taken when a man of the mover has just come to `to`. `own`
    /// are the mover's men after the move.
    pub(crate) fn taken(&self, own: Squares, other: Squares, to: Square) -> Squares {
        let next = self.neighbors[usize::from(to)];
        if next & other == 0 {
            // Whatever is taken stands next to the man that came.
            return 0;
        }
        let mut taken = 0;
        if one(to) & self.anchors != 0 {
            for ray in &self.rays[usize::from(to)] {
                taken |= line(ray, own & self.anchors, other);
            }
        }
        for &(corner, around) in &self.corners {
            let enclosed = one(corner) & other != 0 && around & own == around;
            if enclosed && around & one(to) != 0 {
                taken |= one(corner);
            }
        }
        if self.rules.edge {
            taken |= self.enclosed(own, other, next);
        }
        taken
    }

    /// The runs along an edge that begin or lie next to the square moved to and are enclosed.
    fn enclosed(&self, own: Squares, other: Squares, next: Squares) -> Squares {
        let mut taken = 0;
        for edge in &self.edges {
            for run in edge.chunk_by(|&a, &b| (one(a) | one(b)) & other == one(a) | one(b)) {
                let run = run.iter().fold(0, |set, &square| set | one(square));
                if run & other == 0 || run & next == 0 {
                    continue;
                }
                let around = each(run)
                    .fold(0, |set, square| set | self.neighbors[usize::from(square)])
                    & !run;
                if around & own == around {
                    taken |= run;
                }
            }
        }
        taken
    }

    /// For men of the other side that stand still: every way to take some of them.
    pub(crate) fn patterns(&self, other: Squares) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        for (to, rays) in (0..).zip(&self.rays) {
            if one(to) & other != 0 {
                continue;
            }
            for ray in rays.iter().filter(|_| one(to) & self.anchors != 0) {
                let run = ray.iter().take_while(|&&at| one(at) & other != 0);
                let taken = run.clone().fold(0, |set, &at| set | one(at));
                let Some(&end) = ray.get(run.count()) else {
                    continue;
                };
                if taken != 0 && one(end) & self.anchors != 0 {
                    patterns.push(Pattern {
                        to,
                        needed: one(end),
                        taken,
                    });
                }
            }
        }
        for &(corner, around) in &self.corners {
            if one(corner) & other != 0 && around & other == 0 {
                patterns.extend(each(around).map(|to| Pattern {
                    to,
                    needed: around & !one(to),
                    taken: one(corner),
                }));
            }
        }
        for edge in &self.edges {
            for run in edge.chunk_by(|&a, &b| (one(a) | one(b)) & other == one(a) | one(b)) {
                let run = run.iter().fold(0, |set, &square| set | one(square));
                let around = each(run)
                    .fold(0, |set, square| set | self.neighbors[usize::from(square)])
                    & !run;
                if run & other == run && around & other == 0 {
                    patterns.extend(each(around).map(|to| Pattern {
                        to,
                        needed: around & !one(to),
                        taken: run,
                    }));
                }
            }
        }
        patterns
    }
}

/// A way to take men that stand still: a man comes to `to` while men of its side stand on `needed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) to: Square,
    pub(crate) needed: Squares,
    pub(crate) taken: Squares,
}

/// The unbroken run of the other side's men on a ray, if an own man stands right behind it.
#[inline]
fn line(ray: &[Square], anchors: Squares, other: Squares) -> Squares {
    let mut run = 0;
    for &square in ray {
        if one(square) & other != 0 {
            run |= one(square);
        } else if one(square) & anchors != 0 {
            return run;
        } else {
            return 0;
        }
    }
    0
}
