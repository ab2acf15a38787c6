//! Draws the history of the parameter values as an SVG chart.

use super::parameter::Parameter;
use super::spsa::TuneLength;
use super::tuner::Tuner;

/// The width and height of the panel of a parameter, without margins, in SVG user units.
const PANEL: [f64; 2] = [260.0, 120.0];
/// The margins of a panel: left (labels of the range), top (name and values), right, and bottom
/// (number of games).
const MARGINS: [f64; 4] = [56.0, 32.0, 20.0, 24.0];
/// The height of the title.
const TITLE: f64 = 40.0;
/// Maximum number of panels in a row.
const COLUMNS: usize = 3;
/// Maximum number of points in a line.
const MAX_POINTS: usize = 200;

/// Draws an SVG image of the parameter values against the number of games. Each parameter has a
/// panel, whose height represents the range of the parameter. The band around the line shows the
/// values tried; the dashed line shows the initial value.
pub fn chart(tuner: &Tuner) -> String {
    let settings = tuner.settings();
    let columns = match settings.parameters.len() {
        4 => 2,
        few => few.clamp(1, COLUMNS),
    };
    let rows = settings.parameters.len().div_ceil(columns);
    let [left, top, right, bottom] = MARGINS;
    let size = [left + PANEL[0] + right, top + PANEL[1] + bottom];
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" \
         font-family=\"sans-serif\" font-size=\"11\" fill=\"#555\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"16\" y=\"25\" font-size=\"15\" fill=\"#222\">{} of {} games</text>\n",
        size[0] * columns as f64,
        TITLE + size[1] * rows as f64,
        2 * tuner.steps() * settings.length.pairs,
        settings.length.all_games(),
    );
    for (index, parameter) in settings.parameters.iter().enumerate() {
        let (column, row) = ((index % columns) as f64, (index / columns) as f64);
        let panel = Panel { parameter, length: settings.length };
        let (x, y) = (column * size[0] + left, TITLE + row * size[1] + top);
        picture += &format!("<g transform=\"translate({x} {y})\">\n");
        picture += &panel.frame();
        picture +=
            &panel.history(&tuner.history().iter().map(|values| values[index]).collect::<Vec<_>>());
        picture += "</g>\n";
    }
    picture + "</svg>\n"
}

/// The panel of a parameter. Coordinates are relative to its upper left corner.
struct Panel<'a> {
    parameter: &'a Parameter,
    length: TuneLength,
}

impl Panel<'_> {
    fn x(&self, step: usize) -> f64 {
        PANEL[0] * step as f64 / self.length.steps as f64
    }

    fn y(&self, value: f64) -> f64 {
        let Parameter { min, max, .. } = *self.parameter;
        PANEL[1] * (max - value.clamp(min, max)) / (max - min)
    }

    /// The panel without the values: background, labels, and the line of the initial value.
    fn frame(&self) -> String {
        let Parameter { name, start, min, max, .. } = self.parameter;
        let name = name.replace('&', "&amp;").replace('<', "&lt;");
        let ([width, height], start) = (PANEL, self.y(*start));
        format!(
            "<rect width=\"{width}\" height=\"{height}\" fill=\"#f6f7f9\"/>\n\
             <text y=\"-8\" font-size=\"13\" fill=\"#222\">{name}</text>\n\
             <path d=\"M0 {start:.1}H{width}\" stroke=\"#999\" stroke-dasharray=\"3 3\"/>\n\
             <g text-anchor=\"end\"><text x=\"-6\" y=\"9\">{max}</text>\
             <text x=\"-6\" y=\"{height}\">{min}</text>\
             <text x=\"{width}\" y=\"{}\">{} games</text></g>\n",
            height + 15.0,
            self.length.all_games(),
        )
    }

    /// The values at the start and after each step, drawn as a line; the band of the values tried;
    /// and the first and last value as text.
    fn history(&self, values: &[f64]) -> String {
        let stride = values.len().div_ceil(MAX_POINTS);
        let last = values.len() - 1;
        let steps: Vec<_> = (0..last).step_by(stride).chain([last]).collect();
        let line = |steps: &mut dyn Iterator<Item = &usize>, side: f64| {
            let points = steps.map(|&step| {
                let next = step.min(self.length.steps - 1);
                let offset = self.length.gains(self.parameter, next).offset;
                format!("{:.1},{:.1}", self.x(step), self.y(values[step] + side * offset))
            });
            points.collect::<Vec<_>>().join(" ")
        };
        let (upper, lower) = (line(&mut steps.iter(), 1.0), line(&mut steps.iter().rev(), -1.0));
        let (x, y) = (self.x(last), self.y(values[last]));
        format!(
            "<polygon points=\"{upper} {lower}\" fill=\"#06c\" fill-opacity=\"0.12\"/>\n\
             <polyline points=\"{}\" fill=\"none\" stroke=\"#06c\" stroke-width=\"1.6\"/>\n\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#06c\"/>\n\
             <text x=\"{}\" y=\"-8\" font-size=\"13\" fill=\"#06c\" text-anchor=\"end\">{}</text>\n",
            line(&mut steps.iter(), 0.0),
            PANEL[0],
            format_args!("{} → {}", self.parameter.start, self.parameter.label(values[last])),
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::arena::tune::tuner::{PairResult, TunerSettings};
    use crate::game::GameResult;

    use super::*;

    #[test]
    fn draws_a_panel_for_each_number() {
        let parameter = |name: &str| Parameter {
            name: name.to_owned(),
            is_integer: true,
            start: 20.0,
            min: 10.0,
            max: 50.0,
            c_end: 2.0,
            r_end: 0.1,
        };
        let parameters = ["one", "a<b&c", "three", "four"].map(parameter).to_vec();
        let length = TuneLength { steps: 1000, pairs: 1 };
        let mut tuner =
            Tuner::new(TunerSettings { parameters, length, ahead: 1, seed: 1, part: None });
        assert_eq!(chart(&tuner).matches("<polyline").count(), 4, "before the first step");
        for _ in 0..600 {
            let task = tuner.next_pair().unwrap();
            tuner.add(task.index, &PairResult::Played([GameResult::Win, GameResult::Draw]));
            tuner.apply().unwrap();
        }
        let picture = chart(&tuner);
        for part in ["1200 of 2000 games", ">a&lt;b&amp;c<", "viewBox=\"0 0 672 392\""] {
            assert!(picture.contains(part), "{part}: {picture}");
        }
        for element in ["<polygon", "<polyline", "<circle"] {
            assert_eq!(picture.matches(element).count(), 4);
        }
        let last =
            format!(">20 → {}</text>", tuner.settings().parameters[0].label(tuner.values()[0]));
        assert!(picture.contains(&last));
        assert!(picture.len() < 4 * 3 * 200 * 14, "long histories are thinned out");
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }
}
