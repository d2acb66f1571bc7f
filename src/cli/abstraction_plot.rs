//! The picture of a bench of abstractions: how much is decided with how many blocks, and what a longer horizon saves and costs.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::abstraction_report::Figures;
use super::failure::Failure;

type Drawn = Result<(), Box<dyn std::error::Error>>;
type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Width and height of one panel.
const PANEL: (u32, u32) = (420, 300);

/// An SVG with a row of panels for each class: decided share against blocks with the signature `relational`, a line a horizon;
/// blocks against horizon, a line a signature; look-ups against horizon.
pub(crate) fn svg(all: &[Figures]) -> Result<String, Failure> {
    let mut text = String::new();
    draw(all, &mut text)
        .map_err(|error| Failure::Error(format!("cannot draw the plot: {error}")))?;
    // A file of text ends with a line, and not with an empty one.
    Ok(text.trim_end().to_owned() + "\n")
}

fn draw(all: &[Figures], text: &mut String) -> Drawn {
    let mut classes: Vec<&str> = all.iter().map(|each| each.universe.as_str()).collect();
    classes.dedup();
    let height = PANEL.1 * classes.len().max(1) as u32;
    let root = SVGBackend::with_string(text, (3 * PANEL.0, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let panels = root.split_evenly((classes.len().max(1), 3));
    for (class, row) in classes.iter().zip(panels.chunks(3)) {
        let of_class: Vec<&Figures> = all.iter().filter(|each| each.universe == *class).collect();
        if let [shares, blocks, lookups] = row {
            draw_shares(class, &of_class, shares)?;
            draw_blocks(class, &of_class, blocks)?;
            draw_lookups(class, &of_class, lookups)?;
        }
    }
    root.present()?;
    Ok(())
}

/// A colour for the first, second … line of a panel.
fn color(place: usize) -> RGBColor {
    const COLORS: [RGBColor; 5] = [
        RGBColor(31, 119, 180),
        RGBColor(214, 96, 20),
        RGBColor(44, 140, 60),
        RGBColor(148, 80, 180),
        RGBColor(110, 110, 110),
    ];
    COLORS[place % COLORS.len()]
}

fn draw_shares(class: &str, figures: &[&Figures], panel: &Panel) -> Drawn {
    let relational = figures.iter().filter(|each| each.signature == "relational");
    let lines = relational.map(|each| Line {
        name: format!("K = {}", each.horizon),
        points: thinned(each.stages.iter().map(|stage| {
            let share = 100.0 * stage.decided as f64 / each.states.max(1) as f64;
            ((stage.blocks as f64).log10(), share.min(100.0))
        })),
    });
    let axes = Axes {
        below: "blocks",
        is_logarithmic: [true, false],
        legend: SeriesLabelPosition::UpperLeft,
    };
    let caption = format!("{class}: states decided, %, while blocks grow");
    draw_panel(&caption, &axes, &lines.collect::<Vec<_>>(), panel)
}

/// The points of a line that can be told apart in a picture, and the last one.
fn thinned(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut last = None;
    for point in points {
        let is_apart =
            |kept: &(f64, f64)| point.0 - kept.0 > 0.01 || (point.1 - kept.1).abs() > 0.5;
        if kept.last().is_none_or(is_apart) {
            kept.push(point);
        }
        last = Some(point);
    }
    kept.extend(last);
    kept
}

/// What is drawn against the horizon.
const fn by_horizon(legend: SeriesLabelPosition) -> Axes {
    Axes {
        below: "horizon, plies",
        is_logarithmic: [false, true],
        legend,
    }
}

fn draw_blocks(class: &str, figures: &[&Figures], panel: &Panel) -> Drawn {
    let lines = ["distance", "relational", "bisim", "backward"].map(|name| {
        let decided = figures
            .iter()
            .filter(|each| each.signature == name && each.decided == each.states);
        Line::by_horizon(name, decided.map(|each| (each.horizon, each.blocks as u64)))
    });
    let caption = format!("{class}: blocks when all is decided");
    let axes = by_horizon(SeriesLabelPosition::LowerLeft);
    draw_panel(&caption, &axes, &lines, panel)
}

fn draw_lookups(class: &str, figures: &[&Figures], panel: &Panel) -> Drawn {
    let of = |name: &str, count: fn(&Figures) -> u64| {
        let relational = figures.iter().filter(|each| each.signature == "relational");
        Line::by_horizon(name, relational.map(|each| (each.horizon, count(each))))
    };
    let lines = [
        of("to verify, all at once", |each| each.lookups_verify),
        of("to verify, each alone", |each| each.lookups_alone),
        of("to search", |each| each.lookups_decide),
    ];
    let caption = format!("{class}: look-ups with `relational`");
    let axes = by_horizon(SeriesLabelPosition::LowerRight);
    draw_panel(&caption, &axes, &lines, panel)
}

/// A line with a name.
struct Line {
    name: String,
    points: Vec<(f64, f64)>,
}

impl Line {
    /// Counts, on a logarithmic scale, against horizons.
    fn by_horizon(name: &str, points: impl Iterator<Item = (u8, u64)>) -> Line {
        let point = |(horizon, count): (u8, u64)| (horizon.into(), (count.max(1) as f64).log10());
        Line {
            name: name.to_owned(),
            points: points.map(point).collect(),
        }
    }
}

/// What the axes of a panel are.
struct Axes {
    below: &'static str,
    /// Whether the numbers of the points are logarithms: to the right, upwards.
    is_logarithmic: [bool; 2],
    legend: SeriesLabelPosition,
}

fn draw_panel(caption: &str, axes: &Axes, lines: &[Line], panel: &Panel) -> Drawn {
    let points = || lines.iter().flat_map(|line| &line.points);
    let farthest = [
        points().map(|&(x, _)| x).fold(1.0, f64::max),
        points().map(|&(_, y)| y).fold(1.0, f64::max),
    ];
    // Whole powers of ten, or a little more than is needed.
    let [right, top] = [0, 1].map(|axis| match axes.is_logarithmic[axis] {
        true => farthest[axis].ceil(),
        false => farthest[axis] * 1.05,
    });
    let labels = [right, top].map(|end| match end > 20.0 {
        true => 6,
        false => end as usize + 1,
    });
    let mut chart = ChartBuilder::on(panel)
        .caption(caption, ("sans-serif", 14))
        .margin(8)
        .x_label_area_size(34)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..right, 0.0..top)?;
    let label = |is_logarithmic: bool| {
        move |value: &f64| match is_logarithmic {
            true => count(10_f64.powf(*value)),
            false => count(*value),
        }
    };
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc(axes.below)
        .x_label_formatter(&label(axes.is_logarithmic[0]))
        .y_label_formatter(&label(axes.is_logarithmic[1]))
        .x_labels(labels[0])
        .y_labels(labels[1])
        .draw()?;
    for (place, line) in lines.iter().enumerate() {
        let style = color(place).stroke_width(2);
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), style))?
            .label(line.name.clone())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
        if !axes.is_logarithmic[0] {
            let dots = line.points.iter();
            chart.draw_series(dots.map(|&point| Circle::new(point, 3, color(place).filled())))?;
        }
    }
    chart
        .configure_series_labels()
        .position(axes.legend.clone())
        .background_style(WHITE.mix(0.8))
        .border_style(RGBColor(200, 200, 200))
        .draw()?;
    Ok(())
}

/// A count in few characters.
fn count(value: f64) -> String {
    let (value, unit) = match value {
        value if value >= 9.5e8 => (value / 1e9, " G"),
        value if value >= 9.5e5 => (value / 1e6, " M"),
        value if value >= 9.5e2 => (value / 1e3, " k"),
        value => (value, ""),
    };
    let digits = usize::from(value < 9.5 && !unit.is_empty());
    format!("{value:.digits$}{unit}")
}
