//! Who may board and leave where a vehicle calls: `pickup_type` and `drop_off_type` of GTFS.

/// What passengers may not do at a call. By default both ways are open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules(u8);

impl Rules {
    /// Everybody may board and leave.
    pub const OPEN: Rules = Rules(0);
    const NO_BOARDING: u8 = 1;
    const NO_LEAVING: u8 = 2;

    /// Rules by what is forbidden.
    pub fn new(no_boarding: bool, no_leaving: bool) -> Rules {
        let bit = |so: bool, bit: u8| if so { bit } else { 0 };
        Rules(bit(no_boarding, Rules::NO_BOARDING) | bit(no_leaving, Rules::NO_LEAVING))
    }

    /// Nobody boards or leaves: the vehicle passes.
    pub const PASSED: Rules = Rules(Rules::NO_BOARDING | Rules::NO_LEAVING);

    /// Whether passengers may board.
    #[inline]
    pub fn boards(self) -> bool {
        self.0 & Rules::NO_BOARDING == 0
    }

    /// Whether passengers may leave.
    #[inline]
    pub fn leaves(self) -> bool {
        self.0 & Rules::NO_LEAVING == 0
    }

    /// The rules of the same call where time runs backwards: who left then boards.
    pub fn mirrored(self) -> Rules {
        Rules::new(!self.leaves(), !self.boards())
    }

    /// As one number of a packed file.
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// From the number of a packed file.
    pub(crate) fn of_bits(bits: u8) -> Option<Rules> {
        (bits <= Rules::PASSED.0).then_some(Rules(bits))
    }
}
