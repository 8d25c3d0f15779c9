//! A **histogram** of distances, as text and as an SVG image. Counts differ by orders of magnitude, so
//! their scale is logarithmic.

use plotters::prelude::{
    BLACK, ChartBuilder, Color, IntoDrawingArea, IntoLogRange, RGBColor, Rectangle, SVGBackend,
    WHITE,
};

use crate::wording::count;

/// Positions by distance, as `(plies, positions)`: ascending by plies, no count zero.
pub(crate) struct Histogram<'a>(pub(crate) &'a [(u32, u64)]);

/// Characters of the longest bar.
const LONGEST_BAR: f64 = 40.0;

/// Pixels of the image.
const SIZE: (u32, u32) = (1000, 500);

/// Where the axis of counts begins: below one position, so that one can be seen.
const BELOW_ONE: f64 = 0.7;

const WINS: (&str, RGBColor) = ("won", RGBColor(46, 125, 50));
const LOSSES: (&str, RGBColor) = ("lost", RGBColor(198, 40, 40));

impl Histogram<'_> {
    fn most(&self) -> u64 {
        self.0.iter().map(|&(_, count)| count).max().unwrap_or(1)
    }

    /// A line for each distance.
    pub(crate) fn text(&self) -> String {
        let scale = (LONGEST_BAR - 1.0) / (self.most().max(2) as f64).ln();
        let lines = self.0.iter().map(|&(plies, positions)| {
            let value = if plies % 2 == 1 { "win" } else { "loss" };
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
            let plies = 0..self.0.last().map_or(0, |&(plies, _)| plies) + 2;
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
                .x_desc("plies to the end of the game")
                .y_desc("positions")
                .y_label_formatter(&|&positions| count(positions as u64))
                .draw()?;
            for (parity, (name, color)) in [(1, WINS), (0, LOSSES)] {
                let these = self.0.iter().filter(|&&(plies, _)| plies % 2 == parity);
                let bars = these.map(|&(plies, positions)| {
                    let corners = [(plies, BELOW_ONE), (plies + 1, positions as f64)];
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
        let text = Histogram(&[(1, 100), (2, 10), (4, 1)]).text();
        let bars: Vec<usize> = text.lines().map(|line| line.matches('#').count()).collect();
        assert_eq!(bars, [40, 21, 1]);
        assert_eq!(Histogram(&[(1, 1)]).text().matches('#').count(), 1);
    }

    #[test]
    fn every_distance_is_in_the_image() {
        let svg = Histogram(&[(1, 100), (2, 10), (4, 1)])
            .svg("title")
            .unwrap();
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
        let bars = |color: &str| svg.matches(&format!("fill=\"{color}\"")).count();
        // With that of the legend.
        assert_eq!((bars("#2E7D32"), bars("#C62828")), (2, 3));
        Histogram(&[]).svg("nothing").unwrap();
    }
}
