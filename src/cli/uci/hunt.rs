//! The search behind a `go`: does the side to move mate, or is it mated, and how soon?
//!
//! The two questions are asked in turns, the first one first; each turn may look at twice as many positions as the one before. In its turn a question goes
//! through the lengths 1, 2, 3, … from where it was, so that what is proved is the shortest. From the second turn on a quarter as much goes into a
//! *leap*: a mate up to twice as long, which may be easier to find than the shorter ones are to refute. What a leap proves is a bound, and the next leaps go
//! halfway down to what is refuted. The other question is closed when one is answered with a mate: not both sides can force one.
//!
//! After a mate that is the shortest, its first move is left out, and what is left is asked about on, until as many are found as are wanted.

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use dchess::game::Observer;
use dchess::mate::{Budget, Inquiry, Mates, Meter, Mover, Moves, Stopped};
use shakmaty::{Chess, Move};

/// Positions of the first turn.
const FIRST_TURN: u64 = 1 << 18;

/// What a search is about.
pub(super) struct Hunt {
    pub(super) position: Chess,
    /// First moves that the side to move has.
    pub(super) first: Vec<Move>,
    pub(super) longest_attack: Moves,
    pub(super) longest_defence: Moves,
    /// First moves that mate to look for.
    pub(super) keys: usize,
    pub(super) budget: Budget,
}

/// What is found out on the way.
#[derive(Clone, Debug)]
pub(super) enum News {
    /// There is no mate within so many moves.
    Refuted(Mover, Moves),
    /// There is one. The same mate may come again when more is known about it.
    Found(Mate),
    /// That was all; whether everything that was asked is decided.
    Over { is_decided: bool },
}

/// A mate that is proved.
#[derive(Clone, Debug)]
pub(super) struct Mate {
    pub(super) mover: Mover,
    pub(super) length: Moves,
    /// Whether it is proved that there is none in fewer moves, but those that were found before.
    pub(super) is_shortest: bool,
    /// How many mates with other first moves were found before.
    pub(super) rank: usize,
    /// The first move of the attacker, if he is to move.
    pub(super) key: Option<Move>,
    /// Play that ends in mate and has the length, or nothing as long as none is known.
    pub(super) line: Vec<Move>,
}

/// Where a search is, and whether it is to end.
#[derive(Debug, Default)]
pub(super) struct Watch {
    is_stopped: AtomicBool,
    nodes: AtomicU64,
    plies: AtomicU16,
    permille: AtomicU16,
}

impl Watch {
    /// Ends the search as soon as it looks.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Positions looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The length in plies that is searched.
    pub(super) fn plies(&self) -> u16 {
        self.plies.load(Ordering::Relaxed)
    }

    /// How full the memory is, in thousandths.
    pub(super) fn permille(&self) -> u16 {
        self.permille.load(Ordering::Relaxed)
    }
}

impl Observer for Watch {
    fn begin(&self, _stage: &str, _steps: u64) {}

    fn advance(&self, steps: u64) {
        self.nodes.fetch_add(steps, Ordering::Relaxed);
    }

    fn is_interrupted(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

impl Hunt {
    /// Searches to the end, and tells what is found.
    pub(super) fn run(&self, watch: &Watch, tell: &dyn Fn(News)) {
        let meter = Meter::new(self.budget.nodes, watch);
        let front = |mover, quarters, longest, keys| Front {
            inquiry: Inquiry::new(&self.position, mover, &self.share(quarters), &meter),
            meter: &meter,
            watch,
            tell,
            mover,
            first: self.first.clone(),
            keys,
            found: 0,
            refuted: Moves::ZERO,
            longest,
            bound: None,
        };
        // The defender has a move that refutes nearly always, which takes little memory.
        let mut attack = front(Mover::Attacker, 3, self.longest_attack, self.keys);
        let mut defence = front(Mover::Defender, 1, self.longest_defence, 1);
        let mut turn = FIRST_TURN;
        while !meter.is_stopped() && (attack.is_open() || defence.is_open()) {
            attack.take_turn(turn);
            if attack.has_mate() {
                defence.close();
            }
            defence.take_turn(turn);
            if defence.has_mate() {
                attack.close();
            }
            turn = turn.saturating_mul(2);
        }
        tell(News::Over {
            is_decided: !attack.is_open() && !defence.is_open(),
        });
    }

    /// The budget with so many quarters of the memory.
    fn share(&self, quarters: u64) -> Budget {
        Budget {
            hash_bytes: self.budget.hash_bytes / 4 * quarters,
            ..self.budget
        }
    }
}

/// A mate that may not be the shortest.
struct Bound {
    length: Moves,
    key: Option<Move>,
    line: Vec<Move>,
    /// Moves of the attacker in a line of it, which may be fewer than its length.
    likely: u8,
}

/// One of the two questions, and how far it is decided.
struct Front<'a> {
    inquiry: Inquiry<'a>,
    meter: &'a Meter<'a>,
    watch: &'a Watch,
    tell: &'a dyn Fn(News),
    mover: Mover,
    /// First moves that are still asked about.
    first: Vec<Move>,
    /// Mates that are wanted.
    keys: usize,
    /// Mates that are found and the shortest.
    found: usize,
    /// With the first moves that are left there is no mate within so many moves.
    refuted: Moves,
    longest: Moves,
    bound: Option<Bound>,
}

impl Front<'_> {
    fn is_open(&self) -> bool {
        self.refuted < self.longest && self.found < self.keys && !self.first.is_empty()
    }

    const fn has_mate(&self) -> bool {
        self.found > 0 || self.bound.is_some()
    }

    /// Asks no more.
    const fn close(&mut self) {
        self.longest = self.refuted;
    }

    fn take_turn(&mut self, nodes: u64) {
        self.meter.pause_after(Some(nodes));
        self.step_up();
        if nodes > FIRST_TURN {
            self.meter.pause_after(Some(nodes / 4));
            self.leap();
        }
    }

    /// Asks about one length after the other.
    fn step_up(&mut self) {
        while self.is_open() {
            let Some(length) = Moves::new(self.refuted.get() + 1) else {
                return;
            };
            match self.decide(length) {
                Ok(Mates::No) => self.refute(length),
                Ok(Mates::Yes(key)) => self.settle(length, key, Vec::new()),
                Err(Stopped) => return,
            }
        }
    }

    /// Asks about longer mates than the next one.
    fn leap(&mut self) {
        while let Some(length) = self.leap_length() {
            match self.decide(length) {
                Ok(Mates::No) => self.refute(length),
                Ok(Mates::Yes(key)) => self.limit(length, key),
                Err(Stopped) => return,
            }
        }
    }

    /// The length to leap to, if there is a leap to be made.
    fn leap_length(&self) -> Option<Moves> {
        if !self.is_open() {
            return None;
        }
        let refuted = self.refuted.get();
        let length = match &self.bound {
            None => (2 * (refuted + 1)).min(self.longest.get()),
            Some(bound) if bound.likely > refuted && bound.likely < bound.length.get() => {
                bound.likely
            }
            Some(bound) => refuted + (bound.length.get() - refuted) / 2,
        };
        let is_leap = self.bound.is_some() || length > refuted + 1;
        Moves::new(length).filter(|_| is_leap)
    }

    fn decide(&mut self, length: Moves) -> Result<Mates, Stopped> {
        let plies = length.plies(self.mover).get();
        self.watch.plies.store(plies, Ordering::Relaxed);
        let found = self.inquiry.decide(&self.first, length);
        // The meter counts in chunks; what is printed next is to have the rest too.
        self.inquiry.nodes();
        let permille = self.inquiry.permille_remembered();
        self.watch.permille.store(permille, Ordering::Relaxed);
        found
    }

    fn refute(&mut self, length: Moves) {
        self.refuted = self.refuted.max(length);
        if self.found == 0 {
            (self.tell)(News::Refuted(self.mover, self.refuted));
        }
        let is_shortest = |bound: &mut Bound| bound.length.get() == length.get() + 1;
        if let Some(bound) = self.bound.take_if(is_shortest) {
            self.settle(bound.length, bound.key, bound.line);
        }
    }

    /// A mate is proved that may not be the shortest.
    fn limit(&mut self, length: Moves, key: Option<Move>) {
        if length.get() == self.refuted.get() + 1 {
            self.settle(length, key, Vec::new());
            return;
        }
        self.found(length, false, key, Vec::new());
        let line = self.inquiry.line(&self.first_of(key), length, false);
        let mut line = line.unwrap_or_default();
        let likely = match line.len() {
            0 => length.get(),
            plies => u8::try_from(plies.div_ceil(2)).unwrap_or(length.get()),
        };
        if line.len() == usize::from(length.plies(self.mover).get()) {
            self.found(length, false, key, line.clone());
        } else {
            line.clear();
        }
        self.bound = Some(Bound {
            length,
            key,
            line,
            likely,
        });
    }

    /// A mate is proved that is the shortest.
    fn settle(&mut self, length: Moves, key: Option<Move>, line: Vec<Move>) {
        self.bound = None;
        self.found(length, true, key, line.clone());
        if line.is_empty() {
            // The line is at hand, unless much of the memory is forgotten.
            self.meter.pause_after(None);
            let line = self.inquiry.line(&self.first_of(key), length, true);
            let mut line = line.unwrap_or_default();
            if line.len() != usize::from(length.plies(self.mover).get()) {
                line.clear();
            }
            self.found(length, true, key, line);
            self.meter.pause_after(Some(FIRST_TURN));
        }
        self.found += 1;
        self.first.retain(|&mv| Some(mv) != key);
    }

    /// The first moves that a line may begin with.
    fn first_of(&self, key: Option<Move>) -> Vec<Move> {
        key.map_or_else(|| self.first.clone(), |key| vec![key])
    }

    fn found(&self, length: Moves, is_shortest: bool, key: Option<Move>, line: Vec<Move>) {
        (self.tell)(News::Found(Mate {
            mover: self.mover,
            length,
            is_shortest,
            rank: self.found,
            key,
            line,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dchess::rules::{parse_fen, uci};
    use shakmaty::Position;
    use std::cell::RefCell;

    fn hunt(fen: &str, keys: usize, longest: u8, nodes: u64) -> Vec<News> {
        let position = parse_fen(fen).unwrap();
        let longest = Moves::new(longest).unwrap();
        let hunt = Hunt {
            first: position.legal_moves().into_iter().collect(),
            position,
            longest_attack: longest,
            longest_defence: longest,
            keys,
            budget: Budget {
                nodes,
                hash_bytes: 1 << 24,
                threads: 1,
                ..Budget::default()
            },
        };
        let heard = RefCell::new(Vec::new());
        hunt.run(&Watch::default(), &|news| heard.borrow_mut().push(news));
        heard.into_inner()
    }

    fn mates(news: &[News]) -> Vec<&Mate> {
        let mates = news.iter().filter_map(|news| match news {
            News::Found(mate) => Some(mate),
            _ => None,
        });
        mates.collect()
    }

    #[test]
    fn keys_come_shortest_first_with_whole_lines() {
        let news = hunt("7k/8/8/6K1/8/8/8/5Q2 w - -", 5, 4, u64::MAX);
        let found = mates(&news);
        let whole: Vec<_> = found.iter().filter(|mate| !mate.line.is_empty()).collect();
        assert_eq!(whole.len(), 5);
        for (rank, mate) in whole.iter().enumerate() {
            assert!(mate.is_shortest && mate.rank == rank);
            assert_eq!(mate.length.get(), if rank < 3 { 3 } else { 4 });
            assert_eq!(mate.line.len(), 2 * usize::from(mate.length.get()) - 1);
            assert_eq!(mate.line.first().copied(), mate.key);
        }
        let mut keys: Vec<String> = whole[..3].iter().map(|mate| uci(mate.line[0])).collect();
        keys.sort();
        assert_eq!(keys, ["g5f6", "g5g6", "g5h6"]);
        assert!(matches!(news.last(), Some(News::Over { is_decided: true })));
    }

    #[test]
    fn the_side_to_move_may_be_the_one_that_is_mated() {
        let news = hunt("7k/8/6K1/8/8/8/8/5Q2 b - -", 1, 120, u64::MAX);
        let found = mates(&news);
        let last = found.last().unwrap();
        assert!(last.is_shortest && last.mover == Mover::Defender && last.key.is_none());
        assert_eq!(last.line.len(), 2 * usize::from(last.length.get()));
    }

    #[test]
    fn a_bound_comes_before_the_shortest_and_is_no_shorter() {
        let fen = "1b2r3/2B2n2/k2P2b1/3n2Pp/3P3P/2P1qBK1/2Q1p3/8 w - -";
        let news = hunt(fen, 1, 12, u64::MAX);
        let found = mates(&news);
        assert!(!found[0].is_shortest, "a leap finds a mate first");
        assert!(found.is_sorted_by(|one, next| {
            (one.length, !one.is_shortest) >= (next.length, !next.is_shortest)
        }));
        let last = found.last().unwrap();
        assert!(last.is_shortest && last.length.get() == 8 && last.line.len() == 15);
    }

    #[test]
    fn a_budget_that_is_spent_leaves_it_undecided() {
        let news = hunt(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            1,
            120,
            50_000,
        );
        assert!(mates(&news).is_empty());
        assert!(matches!(
            news.last(),
            Some(News::Over { is_decided: false })
        ));
    }

    #[test]
    fn what_cannot_be_mated_is_refuted_to_the_end() {
        let news = hunt("8/8/8/4k3/8/8/8/KB6 w - -", 1, 3, u64::MAX);
        assert!(matches!(news.last(), Some(News::Over { is_decided: true })));
        let refuted = |mover| {
            let is = |news: &News| matches!(news, News::Refuted(side, length) if *side == mover && length.get() == 3);
            news.iter().any(is)
        };
        assert!(refuted(Mover::Attacker) && refuted(Mover::Defender));
    }
}
