//! Pictures: every box is there, every tag is closed, A4 is A4.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::atomic::AtomicBool;

use wits_game::Seed;
use wits_matchbox::growth::{Growth, Sample};
use wits_matchbox::svg::{View, box_picture, growth_chart, labels, learning_curve, wall};
use wits_matchbox::{Course, Edit, Opponent, Preset, train};

/// Elements opened and closed, attributes quoted: enough of XML to catch a broken picture.
fn check(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (inside, _) = tag
            .split_once('>')
            .unwrap_or_else(|| panic!("a tag is not closed: {tag}"));
        assert_eq!(inside.matches('"').count() % 2, 0, "{inside}");
        let name: String = inside.chars().take_while(|c| c.is_alphanumeric()).collect();
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{svg}");
        } else if !inside.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
    if let Ok(folder) = std::env::var("WITS_PICTURES") {
        let name = format!("{folder}/{:x}.svg", svg.len());
        std::fs::write(name, svg).unwrap();
    }
}

#[test]
fn walls_and_labels_show_every_box() {
    for name in ["her", "him", "menace"] {
        let mut machine = Preset::named(name).unwrap().machine().unwrap();
        machine
            .edit(&Edit::Set {
                at: 0,
                bead: 0,
                count: 0,
            })
            .unwrap();
        let picture = wall(
            &machine,
            View {
                knows: true,
                counts: true,
            },
        );
        check(&picture);
        assert_eq!(
            picture.matches("data-box=").count(),
            machine.cabinet().len(),
            "{name}"
        );
        let pages = labels(&machine);
        assert_eq!(pages.len(), machine.cabinet().len().div_ceil(21), "{name}");
        for page in &pages {
            check(page);
            assert!(page.contains("width=\"210mm\" height=\"297mm\""));
        }
        check(&box_picture(&machine, 0, View::default()).unwrap());
        assert!(box_picture(&machine, 10_000, View::default()).is_none());
    }
}

#[test]
fn curves_and_charts() {
    let preset = Preset::named("her").unwrap();
    let machine = preset.machine().unwrap();
    let chart = preset
        .subject
        .chart([None, Some(&**machine.cabinet())])
        .unwrap();
    let course = Course::new(200, 100, Seed::new(1));
    let stop = AtomicBool::new(false);
    let trained = train(
        &chart,
        &machine,
        &Opponent::Perfect,
        &course,
        &|_| {},
        &stop,
    );
    check(&learning_curve(&trained));
    let sample = |n: f64, cost: f64| Sample { n, cost };
    let cubic = Growth::new(
        "cubic",
        vec![
            sample(100.0, 1e-4),
            sample(300.0, 2.7e-3),
            sample(1000.0, 0.1),
        ],
        1e6,
    );
    let linear = Growth::new(
        "linear",
        vec![sample(1000.0, 1e-6), sample(1e4, 1e-5), sample(1e5, 1e-4)],
        1e6,
    );
    let picture = growth_chart("largest fragment", &[cubic, linear], "s");
    check(&picture);
    assert!(
        picture.contains("n^3.00") && picture.contains("years"),
        "{picture}"
    );
    check(&growth_chart("nothing", &[], "s"));
}
