//! Prints the report on Glass beside what is found here: `cargo run --release --example glass_report`.
#![allow(clippy::print_stdout, reason = "an example that prints")]

use wits_learn::{Control, LearnError, ReportPlan, report};

fn main() -> Result<(), LearnError> {
    let found = report(&ReportPlan::default(), &Control::quiet())?;
    for claim in &found.claims {
        println!(
            "report: {}\nfound:  {}\n        {}\n",
            claim.report, claim.found, claim.verdict
        );
    }
    for slip in &found.slips {
        println!("slip:   {slip}");
    }
    Ok(())
}
