//! The line of a shortest mate: the attacker mates as quickly as he can, the defender holds out as long as he can.

use shakmaty::{Chess, Move, Position};

use super::diagram::Diagram;
use super::length::Mover;
use super::meter::Stopped;
use super::root::steps;
use super::search::Search;
use super::step::Step;

impl Search<'_> {
    /// The line from a position whose shortest mate has this length, from one of its keys on if the attacker is to move.
    pub(super) fn line(
        &mut self,
        position: &Chess,
        mover: Mover,
        length: u8,
        key: Option<Step>,
    ) -> Result<Vec<Move>, Stopped> {
        let mut position = position.clone();
        let mut line = Vec::new();
        let mut play = |position: &mut Chess, step: Step| {
            let mv = Diagram::of(position).to_move(step);
            position.play_unchecked(mv);
            line.push(mv);
        };
        let mut left = length;
        if let (Mover::Attacker, Some(key)) = (mover, key) {
            play(&mut position, key);
            left -= 1;
        }
        while left > 0 {
            let Some(reply) = self.longest_defence(&Diagram::of(&position), left)? else {
                break;
            };
            play(&mut position, reply);
            let Some(step) = self.quickest_mate(&Diagram::of(&position), left)? else {
                break;
            };
            play(&mut position, step);
            left -= 1;
        }
        Ok(line)
    }

    /// A line of a mate within `length` moves that is proved and may not be the shortest: the attacker plays what is proved, and the
    /// defender what, as far as is known, takes longest.
    pub(super) fn proved_line(
        &mut self,
        position: &Chess,
        length: u8,
    ) -> Result<Vec<Move>, Stopped> {
        let mut position = position.clone();
        let mut line = Vec::new();
        let mut bound = length;
        loop {
            let diagram = Diagram::of(&position);
            let mut longest: Option<(u8, Step, Step)> = None;
            for reply in steps(&diagram) {
                let next = diagram.play(reply);
                let Some((proved, step)) = self.mating_step(&next, bound)? else {
                    // The position was not lost within the bound.
                    return Ok(Vec::new());
                };
                if longest.is_none_or(|(most, ..)| proved > most) {
                    longest = Some((proved, reply, step));
                }
            }
            let Some((proved, reply, step)) = longest else {
                return Ok(line);
            };
            for step in [reply, step] {
                let mv = Diagram::of(&position).to_move(step);
                position.play_unchecked(mv);
                line.push(mv);
            }
            bound = proved.saturating_sub(1);
        }
    }

    /// A reply after which the attacker needs `length` moves, in a position where he does need them.
    fn longest_defence(&mut self, diagram: &Diagram, length: u8) -> Result<Option<Step>, Stopped> {
        match length - 1 {
            0 => Ok(steps(diagram).first().copied()),
            shorter => self.refuting_step(diagram, shorter),
        }
    }

    /// The move that mates within `length` moves.
    fn quickest_mate(&mut self, diagram: &Diagram, length: u8) -> Result<Option<Step>, Stopped> {
        Ok(self.mating_step(diagram, length)?.map(|(_, step)| step))
    }
}
