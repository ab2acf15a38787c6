//! The learning curve as a picture.

use super::Epoch;

/// The width and height of the picture.
const SIZE: [f64; 2] = [640.0, 400.0];
/// The margin around the curves, with room for the axis labels.
const MARGIN: f64 = 60.0;

/// The training and validation losses of all epochs as an SVG picture.
pub fn curve(epochs: &[Epoch]) -> String {
    let losses = epochs.iter().flat_map(|epoch| [epoch.training_loss, epoch.validation_loss]);
    let most = losses.clone().fold(f64::MIN_POSITIVE, f64::max) * 1.05;
    let least = losses.fold(most, f64::min) * 0.95;
    let [width, height] = SIZE.map(|side| side - 2.0 * MARGIN);
    let last = (epochs.len().max(2) - 1) as f64;
    let x = |place: usize| MARGIN + width * place as f64 / last;
    let y = |loss: f64| MARGIN + height * (most - loss) / (most - least).max(f64::MIN_POSITIVE);

    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        SIZE[0], SIZE[1],
    );
    for step in 0..=4 {
        let loss = least + (most - least) * f64::from(step) / 4.0;
        let (left, right, y) = (MARGIN, SIZE[0] - MARGIN, y(loss));
        picture += &format!(
            "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.4}</text>\n",
            left - 6.0,
            y + 4.0,
        );
    }
    for (place, epoch) in epochs.iter().enumerate() {
        picture += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            x(place),
            SIZE[1] - MARGIN + 20.0,
            epoch.number,
        );
    }
    type Loss = fn(&Epoch) -> f64;
    let curves: [(&str, &str, Loss); 2] = [
        ("training", "#c60", |epoch| epoch.training_loss),
        ("validation", "#06c", |epoch| epoch.validation_loss),
    ];
    for (number, (name, colour, loss)) in curves.into_iter().enumerate() {
        let points = epochs.iter().enumerate();
        let points: Vec<_> =
            points.map(|(place, epoch)| format!("{:.1},{:.1}", x(place), y(loss(epoch)))).collect();
        picture += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"{}\" y=\"{}\" fill=\"{colour}\">{name} loss</text>\n",
            points.join(" "),
            MARGIN + 10.0,
            20.0 + 16.0 * number as f64,
        );
    }
    picture + "</svg>\n"
}
