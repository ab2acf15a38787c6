//! Measures how the speed of this program depends on the number of threads and the size of the
//! transposition table.

use crate::engine::bench::{self, BenchSettings};
use crate::eval::Evaluation;
use crate::rules::Variant;

use super::ratio::Ratio;

/// The plan of a measurement.
#[derive(Clone, Debug)]
pub struct ScalingPlan {
    /// The variant whose benchmark positions are searched.
    pub variant: Variant,
    /// The depth in plies; `None` for the default depth of the benchmark.
    pub depth: Option<u32>,
    /// The settings to measure; each is compared with the first.
    pub settings: Vec<BenchSettings>,
    /// How often the positions are searched with each of the settings.
    pub rounds: usize,
    /// The evaluation, which must be for this variant.
    pub evaluation: Evaluation,
}

/// The measurements with one of the settings.
#[derive(Clone, PartialEq, Debug)]
pub struct ScalingRow {
    /// The settings.
    pub settings: BenchSettings,
    /// The time to search all positions to the depth in each round, in seconds.
    pub times: Vec<f64>,
    /// The nodes of each round.
    pub nodes: Vec<f64>,
    /// The speed relative to the first settings, computed from the times to reach the depth.
    pub speed: Option<Ratio>,
    /// The ratio of nodes per second to those with the first settings.
    pub nps_ratio: Option<Ratio>,
}

impl ScalingRow {
    /// Nodes per second.
    pub fn nps(&self) -> f64 {
        self.nodes.iter().sum::<f64>() / self.times.iter().sum::<f64>()
    }

    /// The nodes per second of each round.
    fn rates(&self) -> Vec<f64> {
        self.nodes.iter().zip(&self.times).map(|(nodes, time)| nodes / time).collect()
    }
}

/// Measures all settings in turn, so that other load on the machine affects them equally.
/// `on_search` is called whenever all positions have been searched with one of the settings.
pub fn measure(plan: &ScalingPlan, on_search: &mut dyn FnMut()) -> Vec<ScalingRow> {
    let row = |&settings| ScalingRow {
        settings,
        times: Vec::new(),
        nodes: Vec::new(),
        speed: None,
        nps_ratio: None,
    };
    let mut rows: Vec<_> = plan.settings.iter().map(row).collect();
    let count = rows.len();
    for round in 0..plan.rounds {
        for turn in 0..count {
            // The order rotates, so that no settings always follow the same ones.
            let row = &mut rows[(round + turn) % count];
            let result = bench::run(plan.variant, plan.depth, row.settings, &plan.evaluation);
            // At least a nanosecond, to avoid a division by zero.
            row.times.push(result.time.as_secs_f64().max(1e-9));
            row.nodes.push(result.nodes as f64);
            on_search();
        }
    }
    let Some(first) = rows.first().cloned() else { return rows };
    let rates = first.rates();
    for row in &mut rows {
        row.speed = Ratio::of(&first.times, &row.times);
        row.nps_ratio = Ratio::of(&row.rates(), &rates);
    }
    rows
}

/// The width and height of the chart, in SVG user units.
const SIZE: [f64; 2] = [640.0, 400.0];
/// The margin around the plot, with room for the labels of the axes.
const MARGIN: f64 = 60.0;
/// The colours of the lines.
const COLOURS: &[&str] = &["#06c", "#c60", "#393", "#939", "#c33", "#555"];
/// Maximum number of steps on the vertical axis, and the possible step sizes, of which the smallest
/// that fits is used.
const MAX_STEPS: f64 = 6.0;
const STEPS: &[f64] = &[0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0];

/// Draws an SVG image of the speed relative to the first settings. Solid lines with confidence
/// intervals show the time to depth, and dashed lines the nodes per second. The horizontal axis
/// shows the number of threads, with a line for each table size; if there is only one number of
/// threads, the axis shows the table size.
pub fn chart(rows: &[ScalingRow]) -> String {
    let distinct = |of: fn(&BenchSettings) -> usize| {
        let mut values: Vec<_> = rows.iter().map(|row| of(&row.settings)).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    type Setting = (&'static str, fn(&BenchSettings) -> usize);
    let threads: Setting = ("threads", |settings| settings.threads);
    let tt_size: Setting = ("tt-size", |settings| settings.tt_size as usize);
    let has_threads = distinct(threads.1).len() > 1;
    let (across, lines) = if has_threads { (threads, tt_size) } else { (tt_size, threads) };
    let ticks = distinct(across.1);
    let tops = rows.iter().flat_map(|row| [row.speed, row.nps_ratio]).flatten();
    let tops = tops.map(|ratio| ratio.interval.map_or(ratio.value, |[_, high]| high));
    let top = tops.fold(1.0, f64::max);
    let is_wide = |step: &f64| top / step <= MAX_STEPS;
    let step = STEPS.iter().copied().find(is_wide).unwrap_or(top / MAX_STEPS);
    let steps = (top / step).ceil() as u32;
    let top = step * f64::from(steps);
    let [width, height] = SIZE.map(|side| side - 2.0 * MARGIN);
    let x = |tick: usize| MARGIN + width * tick as f64 / (ticks.len().max(2) - 1) as f64;
    let y = |ratio: f64| MARGIN + height * (1.0 - ratio / top);

    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
         font-size=\"12\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"20\">speed: time to depth (solid), nodes per second (dashed)</text>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
        SIZE[0],
        SIZE[1],
        SIZE[0] / 2.0,
        SIZE[1] - 20.0,
        across.0,
    );
    for number in 0..=steps {
        let ratio = step * f64::from(number);
        let (left, right, y) = (MARGIN, SIZE[0] - MARGIN, y(ratio));
        picture += &format!(
            "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{ratio:.2}</text>\n",
            left - 6.0,
            y + 4.0,
        );
    }
    for (tick, value) in ticks.iter().enumerate() {
        let (x, y) = (x(tick), SIZE[1] - MARGIN + 18.0);
        picture +=
            &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{value}</text>\n");
    }
    let lines_at = distinct(lines.1);
    for ((number, value), colour) in lines_at.iter().enumerate().zip(COLOURS.iter().cycle()) {
        let of_line = rows.iter().filter(|row| lines.1(&row.settings) == *value);
        let mut points: Vec<_> = of_line
            .map(|row| (ticks.iter().position(|&tick| tick == across.1(&row.settings)), row))
            .filter_map(|(tick, row)| Some((x(tick?), row)))
            .collect();
        points.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let line = |of: fn(&ScalingRow) -> Option<Ratio>| {
            let at =
                |(x, row): &(f64, &ScalingRow)| Some(format!("{x:.1},{:.1}", y(of(row)?.value)));
            points.iter().filter_map(at).collect::<Vec<_>>().join(" ")
        };
        picture += &format!(
            "<g stroke=\"{colour}\" fill=\"none\" stroke-width=\"2\"><polyline points=\"{}\"/>\
             <polyline points=\"{}\" stroke-dasharray=\"4 4\"/>",
            line(|row| row.speed),
            line(|row| row.nps_ratio),
        );
        let intervals = points.iter().filter_map(|(x, row)| Some((x, row.speed?.interval?.map(y))));
        for (x, [low, high]) in intervals {
            picture += &format!("<path d=\"M{x:.1} {low:.1}V{high:.1}\"/>");
        }
        picture += "</g>\n";
        if lines_at.len() > 1 {
            picture += &format!(
                "<text x=\"{}\" y=\"{}\" fill=\"{colour}\">{} {value}</text>\n",
                MARGIN + 10.0,
                MARGIN + 14.0 + 16.0 * number as f64,
                lines.0,
            );
        }
    }
    picture + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(threads: usize, tt_size: u32, speed: f64) -> ScalingRow {
        let ratio = Ratio { value: speed, interval: Some([speed * 0.9, speed * 1.1]) };
        ScalingRow {
            settings: BenchSettings { threads, tt_size },
            times: vec![1.0 / speed],
            nodes: vec![1000.0],
            speed: Some(ratio),
            nps_ratio: Some(ratio),
        }
    }

    #[test]
    fn a_line_for_each_size_of_the_table() {
        let settings = [(1, 16), (2, 16), (4, 16), (1, 20), (2, 20), (4, 20)];
        let picture = chart(&settings.map(|(threads, size)| row(threads, size, threads as f64)));
        // Two lines of each kind, six intervals, and the grid lines for 0 to 5.
        assert_eq!(picture.matches("<polyline").count(), 4, "{picture}");
        assert_eq!(picture.matches("<path").count(), 6 + 6);
        assert!(picture.contains(">5.00<") && !picture.contains(">6.00<"), "{picture}");
        for text in [">threads<", ">tt-size 16<", ">tt-size 20<", ">4</text>"] {
            assert!(picture.contains(text), "{text}: {picture}");
        }
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }

    #[test]
    fn sizes_are_across_if_there_is_one_number_of_threads() {
        let picture = chart(&[row(1, 16, 1.0), row(1, 24, 1.5)]);
        assert!(picture.contains(">tt-size</text>") && picture.contains(">24</text>"), "{picture}");
        assert_eq!(picture.matches("<polyline").count(), 2);
    }
}
