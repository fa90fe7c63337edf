//! [`Column`]: one bit of 512 lanes.

/// Lanes of a block.
pub(super) const WIDTH: usize = 512;

/// Words of a column.
pub(super) const WORDS: usize = WIDTH / 64;

/// One bit per lane of a block: lane `l` is bit `l / 8` of word `l % 8`. When 64 columns are transposed, lanes that follow
/// each other then have words that follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Column(pub(super) [u64; WORDS]);

impl Column {
    pub(super) const FALSE: Column = Column([0; WORDS]);
    pub(super) const TRUE: Column = Column([!0; WORDS]);

    #[inline(always)]
    pub(super) fn map2(a: Column, b: Column, f: impl Fn(u64, u64) -> u64) -> Column {
        let mut out = Column::FALSE;
        for word in 0..out.0.len() {
            out.0[word] = f(a.0[word], b.0[word]);
        }
        out
    }

    #[inline(always)]
    pub(super) fn map3(a: Column, b: Column, c: Column, f: impl Fn(u64, u64, u64) -> u64) -> Column {
        let mut out = Column::FALSE;
        for word in 0..out.0.len() {
            out.0[word] = f(a.0[word], b.0[word], c.0[word]);
        }
        out
    }

    /// `yes` where the column is true, `no` elsewhere.
    #[inline(always)]
    pub(super) fn choose(self, yes: Column, no: Column) -> Column {
        Column::map3(self, yes, no, |mask, yes, no| (mask & yes) | (!mask & no))
    }

    #[inline(always)]
    pub(super) fn is_false(self) -> bool {
        self.0.iter().fold(0, |all, &word| all | word) == 0
    }

    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    pub(super) fn get(self, lane: usize) -> bool {
        self.0[lane % WORDS] >> (lane / WORDS) & 1 == 1
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize) {
        self.0[lane % WORDS] |= 1 << (lane / WORDS);
    }

    #[inline(always)]
    pub(super) fn clear(&mut self, lane: usize) {
        self.0[lane % WORDS] &= !(1 << (lane / WORDS));
    }

    /// Calls `visit` for every lane in which the column is true.
    #[inline(always)]
    pub(super) fn for_each(self, mut visit: impl FnMut(usize)) {
        for (word, &bits) in self.0.iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                visit(rest.trailing_zeros() as usize * WORDS + word);
                rest &= rest - 1;
            }
        }
    }
}

impl std::ops::BitAnd for Column {
    type Output = Column;
    #[inline(always)]
    fn bitand(self, other: Column) -> Column {
        Column::map2(self, other, |a, b| a & b)
    }
}

impl std::ops::BitOr for Column {
    type Output = Column;
    #[inline(always)]
    fn bitor(self, other: Column) -> Column {
        Column::map2(self, other, |a, b| a | b)
    }
}

impl std::ops::BitXor for Column {
    type Output = Column;
    #[inline(always)]
    fn bitxor(self, other: Column) -> Column {
        Column::map2(self, other, |a, b| a ^ b)
    }
}

impl std::ops::Not for Column {
    type Output = Column;
    #[inline(always)]
    fn not(self) -> Column {
        Column::map2(self, Column::FALSE, |a, _| !a)
    }
}
