//! The report repeated.

use wits_learn::{Control, ReportPlan, report};

#[test]
#[ignore = "prints the whole report"]
fn print() {
    let start = std::time::Instant::now();
    let r = report(&ReportPlan::default(), &Control::quiet()).unwrap();
    println!("{:.1} s", start.elapsed().as_secs_f64());
    for c in &r.claims {
        println!("{}\n   {}\n   {}", c.report, c.found, c.verdict);
    }
    for line in &r.grid.pipelines[..10] {
        println!(
            "{} {:.4} {:.4} {:?} {:.3}",
            line.pipeline(),
            line.mean,
            line.sd,
            line.interval,
            line.p
        );
    }
    println!("{:?}", r.nested);
}
