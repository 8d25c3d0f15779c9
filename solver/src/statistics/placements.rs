//! **Placements**: all ways to put the pieces of a universe on the board and into the hands, by
//! formula.

use koma_games::RankedUniverse;

/// All ways to put the pieces on the board and into the hands, by the number of pieces off the
/// board: in hand, or out of the game where captured pieces leave it.
///
/// The royals stand on any two squares; the side to move is given; a position and its mirror image
/// are two. So the numbers are larger than those of legal positions, whether or not play leads
/// there. These are the counts of Tanaka's paper.
///
/// ```
/// let universe = "dobutsu".parse().unwrap();
/// let placements = koma_solver::placements(&universe);
/// assert_eq!(placements[6], 3_564);
/// assert_eq!(placements.iter().sum::<u128>(), 1_567_925_964);
/// ```
pub fn placements(universe: &RankedUniverse) -> Vec<u128> {
    let game = universe.game();
    let squares = u128::from(game.board().len());
    // By the number of pieces on the board so far and off it.
    let mut ways = vec![vec![squares * (squares - 1)]];
    let men = 1..game.kinds().len();
    for kind in men.filter(|&kind| universe.material().count(kind) > 0) {
        let count = usize::from(universe.material().count(kind));
        // Either side's, unpromoted or promoted.
        let states: u128 = if game.kinds()[kind].promotes() { 4 } else { 2 };
        let mut next = vec![vec![0; ways[0].len() + count]; ways.len() + count];
        for (on, ways) in ways.iter().enumerate() {
            let free = squares.saturating_sub(2 + on as u128);
            for (off, &ways) in ways.iter().enumerate() {
                for off_now in 0..=count {
                    let on_now = count - off_now;
                    // How many of those in hand are the mover's.
                    let hands = if game.options().drops { off_now + 1 } else { 1 };
                    let here =
                        choose(free, on_now as u128) * states.pow(on_now as u32) * hands as u128;
                    next[on + on_now][off + off_now] += ways * here;
                }
            }
        }
        ways = next;
    }
    let offs = 0..ways[0].len();
    offs.map(|off| ways.iter().map(|by_off| by_off[off]).sum())
        .collect()
}

/// The number of ways to choose so many of some things.
fn choose(things: u128, chosen: u128) -> u128 {
    (0..chosen).fold(1, |ways, place| {
        ways * things.saturating_sub(place) / (place + 1)
    })
}
