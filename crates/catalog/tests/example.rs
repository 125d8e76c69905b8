//! The example of the manual compiles and keeps the contract.

#[path = "../examples/nim.rs"]
mod nim;

#[test]
fn the_example_keeps_the_contract() {
    nim::main();
}
