//! The example of the manual compiles and keeps the contract.

#[expect(unreachable_pub, reason = "a game of the house is public")]
#[path = "../examples/nim.rs"]
mod nim;

#[test]
fn the_example_keeps_the_contract() {
    nim::main();
}
