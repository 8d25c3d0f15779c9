//! A **histogram** of distances, as text and as an SVG image. Counts differ by orders of magnitude, so
//! their scale is logarithmic.

use plotters::prelude::{
    BLACK, ChartBuilder, Color, IntoDrawingArea, IntoLogRange, RGBColor, Rectangle, SVGBackend,
    WHITE,
};

use crate::wording::count;

/// Positions by distance, as `(plies, positions)`: ascending by plies, no count zero.
pub(crate) struct Histogram {
    pub(crate) won: Vec<(u32, u64)>,
    pub(crate) lost: Vec<(u32, u64)>,
}

/// Characters of the longest bar.
const LONGEST_BAR: f64 = 40.0;

/// Pixels of the image.
const SIZE: (u32, u32) = (1000, 500);

/// Where the axis of counts begins: below one position, so that one can be seen.
const BELOW_ONE: f64 = 0.7;

const WINS: (&str, RGBColor) = ("won", RGBColor(46, 125, 50));
const LOSSES: (&str, RGBColor) = ("lost", RGBColor(198, 40, 40));

impl Histogram {
    /// Of a game in which a win takes an odd number of plies and a loss an even one.
    pub(crate) fn by_parity(by_plies: &[(u32, u64)]) -> Histogram {
        let (won, lost) = by_plies.iter().partition(|&&(plies, _)| plies % 2 == 1);
        Histogram { won, lost }
    }

    fn all(&self) -> impl Iterator<Item = &(u32, u64)> {
        self.won.iter().chain(&self.lost)
    }

    fn most(&self) -> u64 {
        self.all().map(|&(_, count)| count).max().unwrap_or(1)
    }

    /// A line for each distance.
    pub(crate) fn text(&self) -> String {
        let scale = (LONGEST_BAR - 1.0) / (self.most().max(2) as f64).ln();
        let won = self
            .won
            .iter()
            .map(|&(plies, positions)| (plies, positions, "win"));
        let lost = self
            .lost
            .iter()
            .map(|&(plies, positions)| (plies, positions, "loss"));
        let mut all: Vec<_> = won.chain(lost).collect();
        all.sort_unstable_by_key(|&(plies, _, _)| plies);
        let lines = all.into_iter().map(|(plies, positions, value)| {
            let bar = 1.0 + scale * (positions as f64).ln();
            let bar = "#".repeat(bar.round() as usize);
            format!("{plies:5}  {value:4} {:>15}  {bar}\n", count(positions))
        });
        lines.collect()
    }

    /// The image, with a title.
    pub(crate) fn svg(&self, title: &str) -> anyhow::Result<String> {
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            root.fill(&WHITE)?;
            let last = self.all().map(|&(plies, _)| plies).max().unwrap_or(0);
            let plies = 0.0..f64::from(last + 2);
            let positions = (BELOW_ONE..self.most() as f64 * 1.5).log_scale();
            let mut chart = ChartBuilder::on(&root)
                .caption(title, ("sans-serif", 20))
                .margin(12)
                .x_label_area_size(40)
                .y_label_area_size(100)
                .build_cartesian_2d(plies, positions)?;
            chart
                .configure_mesh()
                .disable_x_mesh()
                .x_labels(20)
                .x_label_formatter(&|plies| format!("{plies:.0}"))
                .x_desc("plies to the end of the game")
                .y_desc("positions")
                .y_label_formatter(&|&positions| count(positions as u64))
                .draw()?;
            let both = [(&self.won, &self.lost, 0.0), (&self.lost, &self.won, 0.5)];
            for ((these, others, right), (name, color)) in both.into_iter().zip([WINS, LOSSES]) {
                let bars = these.iter().map(|&(plies, positions)| {
                    // Where both are at a distance, they share its room.
                    let shared = others.iter().any(|&(other, _)| other == plies);
                    let (left, width) = if shared { (right, 0.5) } else { (0.0, 1.0) };
                    let left = f64::from(plies) + left;
                    let corners = [(left, BELOW_ONE), (left + width, positions as f64)];
                    Rectangle::new(corners, color.filled())
                });
                chart.draw_series(bars)?.label(name).legend(move |(x, y)| {
                    Rectangle::new([(x, y - 5), (x + 10, y + 5)], color.filled())
                });
            }
            chart
                .configure_series_labels()
                .background_style(WHITE)
                .border_style(BLACK)
                .draw()?;
            root.present()?;
        }
        Ok(svg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_with_the_logarithm() {
        let text = Histogram::by_parity(&[(1, 100), (2, 10), (4, 1)]).text();
        let bars: Vec<usize> = text.lines().map(|line| line.matches('#').count()).collect();
        assert_eq!(bars, [40, 21, 1]);
        assert_eq!(
            Histogram::by_parity(&[(1, 1)]).text().matches('#').count(),
            1
        );
    }

    #[test]
    fn every_distance_is_in_the_image() {
        let by_parity = Histogram::by_parity(&[(1, 100), (2, 10), (4, 1)]);
        let won = vec![(0, 7), (3, 9), (4, 2)];
        let lost = vec![(0, 7), (1, 1)];
        for (histogram, expected) in [(by_parity, (2, 3)), (Histogram { won, lost }, (4, 3))] {
            let svg = histogram.svg("title").unwrap();
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
            let bars = |color: &str| svg.matches(&format!("fill=\"{color}\"")).count();
            // With that of the legend.
            assert_eq!((bars("#2E7D32"), bars("#C62828")), expected);
        }
        Histogram::by_parity(&[]).svg("nothing").unwrap();
    }
}
