//! The picture of a comparison of orders: proof nodes beside those of forcing, with their intervals.

use plotters::prelude::*;

use super::bench_report::Comparison;
use super::failure::Failure;

/// An SVG with a bar for each order.
pub(crate) fn svg(comparison: &Comparison, title: &str) -> Result<String, Failure> {
    let mut text = String::new();
    draw(comparison, title, &mut text)
        .map_err(|error| Failure::Error(format!("cannot draw the plot: {error}")))?;
    // A file of text ends with a line, and not with an empty one.
    Ok(text.trim_end().to_owned() + "\n")
}

/// A bar: the name, what share of the proof nodes of forcing the order takes, and between which shares that is.
struct Bar<'a> {
    name: &'a str,
    share: f64,
    low: f64,
    high: f64,
}

fn bars(comparison: &Comparison) -> Vec<Bar<'_>> {
    // Lexical takes so many that nothing else could be seen beside it.
    let orderings = comparison.orderings.iter().skip(1);
    orderings
        .map(|each| {
            let share = 100.0 - each.reduction_vs_forcing.unwrap_or(100.0);
            let [high, low] = each
                .reduction_vs_forcing_ci95
                .map_or([share, share], |[low, high]| [100.0 - low, 100.0 - high]);
            Bar {
                name: &each.name,
                share,
                low,
                high,
            }
        })
        .collect()
}

fn draw(
    comparison: &Comparison,
    title: &str,
    text: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let bars = bars(comparison);
    let top = bars.iter().map(|bar| bar.high).fold(100.0, f64::max) * 1.08;
    let root = SVGBackend::with_string(text, (640, 400)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(28)
        .y_label_area_size(64)
        .build_cartesian_2d((0..bars.len() - 1).into_segmented(), 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .y_label_formatter(&|share| format!("{share:.0}"))
        .y_desc("proof nodes, % of forcing, and 95 % interval")
        .x_label_formatter(&|place| match place {
            SegmentValue::CenterOf(place) => bars.get(*place).map_or("", |bar| bar.name).to_owned(),
            _ => String::new(),
        })
        .draw()?;
    for (place, bar) in bars.iter().enumerate() {
        let corners = [
            (SegmentValue::Exact(place), 0.0),
            (SegmentValue::Exact(place + 1), bar.share),
        ];
        let mut rectangle = Rectangle::new(corners, RGBColor(120, 150, 200).filled());
        rectangle.set_margin(0, 0, 24, 24);
        chart.draw_series([rectangle])?;
        let middle = SegmentValue::CenterOf(place);
        chart.draw_series([ErrorBar::new_vertical(
            middle,
            bar.low,
            bar.share,
            bar.high,
            BLACK.filled(),
            6,
        )])?;
    }
    root.present()?;
    Ok(())
}
