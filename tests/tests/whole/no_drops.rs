//! The whole game without drops, against published facts and the naive values of every position
//! that play can lead to.

use koma_games::Value;
use koma_tests::naive::{NaiveGame, Options};
use koma_tests::tables::prober;
use koma_tests::values::{answer, as_naive};

const START: &str = "gle/1c1/1C1/ELG b - 1";

#[test]
fn no_drops() {
    let universe = "dobutsu:no-drops".parse().expect("a universe");
    let prober = prober(universe, None, env!("CARGO_TARGET_TMPDIR"));
    let options = Options {
        no_drops: true,
        ..Options::default()
    };
    let expected = NaiveGame::new(3, 4, [2, 2, 2], options).solve_reachable(START);
    assert_eq!(expected.len(), 797_658);

    let mut deepest_win = 0;
    for (sfen, &expected) in &expected {
        let position = prober
            .game()
            .parse_position(sfen)
            .unwrap_or_else(|error| panic!("{sfen}: {error}"));
        let value = answer(prober.probe(&position));
        assert_eq!(as_naive(value), expected, "{sfen}");
        if let Value::Win(plies) = value {
            deepest_win = deepest_win.max(plies);
        }
    }
    assert_eq!(deepest_win, 37);
    let start = prober.game().start().expect("a start position");
    assert_eq!(answer(prober.probe(&start)), Value::Draw);
}
