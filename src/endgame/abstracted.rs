//! The abstraction of a universe: a decision tree over features, and the bounds of its blocks.
//!
//! White is the maximizer. The vertices are the canonical states, then the canonical en-passant states; the values of
//! children come in as ends. The table of the class itself is no part of this.

use super::bounded::players;
use super::features::{Feature, rows_of};
use super::{Material, MoveGraph};
use crate::game::{Interrupted, Interval, Observer, Player, StateIndex};
use crate::solve::abstraction::{
    Abstraction, Arena, Counterexample, DecisionTree, Line, Measures, Question, Rows, Settings,
    Watch,
};

/// A universe with its features, ready to be abstracted.
pub struct Signed<'a> {
    moves: &'a MoveGraph,
    players: Vec<Player>,
    features: Vec<Feature>,
    rows: Rows,
}

/// A line of a tree that no feature explains, or lines that are no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTree(pub String);

/// The abstraction of a universe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstracted {
    /// Plies of concrete play.
    pub horizon: u8,
    /// Canonical states.
    pub states: usize,
    /// Canonical en-passant states.
    pub en_passant_states: usize,
    /// Distinct pairs of a state and a successor, the sink included; en-passant states left out.
    pub edges: u64,
    /// What the questions of the tree ask for.
    pub features: Vec<Feature>,
    /// Blocks and bounds.
    pub abstraction: Abstraction,
    /// What it costs and saves.
    pub measures: Measures,
}

/// A question of a tree as text, and the two vertices because of which it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// As in certificates.
    pub question: String,
    /// The vertices; none if the tree was learned elsewhere.
    pub why: Option<Counterexample>,
}

impl<'a> Signed<'a> {
    /// Works out some features of all vertices of a class, on the current rayon pool. The side to move has to be the first.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn new(
        material: &Material,
        moves: &'a MoveGraph,
        features: Vec<Feature>,
        observer: &dyn Observer,
    ) -> Result<Signed<'a>, Interrupted> {
        let rows = rows_of(material, &features, observer)?;
        Ok(Signed {
            moves,
            players: players(moves),
            rows: Rows::new(features.len(), rows),
            features,
        })
    }

    /// How many values of features there are.
    pub fn values(&self) -> u64 {
        self.rows.len() as u64 * self.rows.width() as u64
    }

    /// A tree with the lines of a certificate.
    ///
    /// # Errors
    ///
    /// [`UnknownTree`] if they are not those of a tree over features that were worked out; those of men that
    /// are not there are 0 and need not be.
    pub fn tree(&self, lines: &[String]) -> Result<DecisionTree, UnknownTree> {
        let line = |text: &String| {
            let unknown = || UnknownTree(text.clone());
            if text == "leaf" {
                return Ok(Line::Leaf);
            }
            let (name, most) = text.split_once(" <= ").ok_or_else(unknown)?;
            let feature = self
                .features
                .iter()
                .position(|each| each.to_string() == name);
            Ok(Line::Test(
                Question {
                    feature: feature.ok_or_else(unknown)? as u16,
                    most: most.parse().map_err(|_| unknown())?,
                },
                None,
            ))
        };
        let lines: Vec<Line> = lines.iter().map(line).collect::<Result<_, _>>()?;
        DecisionTree::of(&lines).ok_or_else(|| UnknownTree("the lines are no tree".to_owned()))
    }

    /// The tree that asks only who is to move.
    pub fn sides(&self) -> DecisionTree {
        let side = Question {
            feature: 0,
            most: 0,
        };
        let lines = [Line::Test(side, None), Line::Leaf, Line::Leaf];
        DecisionTree::of(&lines).unwrap_or_default()
    }

    /// Looks for an abstraction, beginning with a tree.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn abstracted(
        &self,
        start: &DecisionTree,
        root: Option<StateIndex>,
        settings: &Settings,
        watch: Watch,
    ) -> Result<Abstracted, Interrupted> {
        let moves = self.moves;
        let arena = Arena::new(&moves.graph, &self.players, moves.vertices());
        let observer = watch.observer;
        let abstraction = Abstraction::find(&arena, &self.rows, start, root, settings, watch)?;
        let (blocks, bounds) = (&abstraction.blocks, &abstraction.bounds);
        let measures = Measures::of(&arena, blocks, bounds, settings.horizon, observer)?;
        Ok(Abstracted {
            horizon: settings.horizon,
            states: moves.states,
            en_passant_states: moves.en_passant_states,
            edges: moves.edges,
            features: self.features.clone(),
            abstraction,
            measures,
        })
    }
}

impl Abstracted {
    /// The tree, line by line, as in certificates.
    pub fn lines(&self) -> Vec<String> {
        let lines = self.abstraction.tree.lines().into_iter();
        let line = |line| match line {
            Line::Leaf => "leaf".to_owned(),
            Line::Test(question, _) => self.text(question),
        };
        lines.map(line).collect()
    }

    fn text(&self, question: Question) -> String {
        let feature = &self.features[usize::from(question.feature)];
        format!("{feature} <= {}", question.most)
    }

    /// The questions of the tree, in the order of its lines.
    pub fn splits(&self) -> Vec<Split> {
        let lines = self.abstraction.tree.lines().into_iter();
        let split = |line| match line {
            Line::Leaf => None,
            Line::Test(question, why) => Some(Split {
                question: self.text(question),
                why,
            }),
        };
        lines.filter_map(split).collect()
    }

    /// The features that the tree asks for, in order.
    pub fn used_features(&self) -> Vec<Feature> {
        let lines = self.abstraction.tree.lines();
        let is_used = |place: usize| {
            let asks = |line: &Line| matches!(line, Line::Test(question, _) if usize::from(question.feature) == place);
            lines.iter().any(asks)
        };
        let features = self.features.iter().enumerate();
        let used = features.filter(|&(place, _)| is_used(place));
        used.map(|(_, &feature)| feature).collect()
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.abstraction.bounds.intervals.len()
    }

    /// How many states and en-passant states there are.
    pub const fn vertices(&self) -> usize {
        self.states + self.en_passant_states
    }

    /// The bounds of a vertex.
    pub fn interval(&self, vertex: usize) -> Interval {
        self.abstraction.interval(StateIndex::new(vertex))
    }

    /// How many states have a value that is known; en-passant states are left out.
    pub fn decided(&self) -> usize {
        let points = (0..self.states).filter(|&state| self.interval(state).is_point());
        points.count()
    }

    /// How many vertices there are to a block.
    pub fn compression(&self) -> f64 {
        self.vertices() as f64 / self.blocks() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounded::player;
    use super::super::features::Language;
    use super::super::{ChildStates, Endgame, Label, Library, value_of};
    use super::*;
    use crate::game::Silent;
    use crate::solve::abstraction::{BlockBounds, Finish};
    use crate::solve::bounds::value_for_max;

    /// A class with its moves, features and true values.
    struct Known {
        material: Material,
        moves: MoveGraph,
        values: Vec<i8>,
    }

    impl Known {
        fn new(name: &str) -> Known {
            fn provide(class: &Material, library: &mut Library) -> Endgame {
                for child in class.children() {
                    if !library.contains(&child) {
                        provide(&child, library);
                    }
                }
                Endgame::solve(class, library, &Silent).unwrap()
            }
            let material: Material = name.parse().unwrap();
            let mut library = Library::new();
            let endgame = provide(&material, &mut library);
            let moves = MoveGraph::of(&material, &library, ChildStates::Merged, &Silent).unwrap();
            let values = endgame.values.iter().enumerate().map(|(state, &byte)| {
                let turn = moves.label(StateIndex::new(state)).turn();
                value_for_max(value_of(byte), player(turn))
            });
            Known {
                values: values.collect(),
                material,
                moves,
            }
        }

        fn signed(&self, language: Language) -> Signed<'_> {
            let mut features = Feature::all();
            features.retain(|feature| {
                feature.kind.language <= language && feature.exists_in(&self.material)
            });
            Signed::new(&self.material, &self.moves, features, &Silent).unwrap()
        }
    }

    fn settings(horizon: u8, trials: u32) -> Settings {
        Settings {
            horizon,
            trials,
            seed: 1,
            most_blocks: usize::MAX,
            most_depth: 4_096,
        }
    }

    #[test]
    fn every_interval_holds_its_value_in_every_round() {
        for (name, horizon) in [("KRK", 3), ("KQK", 3), ("KRK", 5), ("KPK", 5)] {
            let known = Known::new(name);
            let signed = known.signed(Language::Relational);
            let mut before = vec![Interval::UNKNOWN; known.values.len()];
            let mut rounds = 0;
            let mut witness = |intervals: &[Interval]| {
                rounds += 1;
                // Every seventh round is enough to see a bound loosen.
                if rounds % 7 != 1 {
                    return;
                }
                for (state, interval) in intervals.iter().enumerate() {
                    assert!(interval.contains(known.values[state]), "{name} {state}");
                    let old = before[state];
                    let is_tighter = old.lower <= interval.lower && interval.upper <= old.upper;
                    assert!(is_tighter, "{name} {state}");
                }
                before = intervals.to_vec();
            };
            let watch = Watch {
                observer: &Silent,
                is_enough: &|| false,
                witness: Some(&mut witness),
            };
            let found = signed
                .abstracted(&signed.sides(), None, &settings(horizon, 30), watch)
                .unwrap();
            assert_eq!(found.abstraction.finish, Finish::Complete, "{name}");
            for (state, &value) in known.values.iter().enumerate() {
                assert_eq!(
                    found.interval(state),
                    Interval::point(value),
                    "{name} {state}"
                );
            }
            assert!(rounds > 40, "{name}: {rounds}");
            assert_eq!(rounds, found.abstraction.stages.len(), "{name}");
        }
    }

    /// Counts the states whose value lies outside its bounds: below D⁻, above D⁺.
    fn violations(arena: &Arena, blocks: &[u32], values: &[i8]) -> [usize; 2] {
        let bounds = BlockBounds::of(arena, blocks, 3, &Silent).unwrap();
        let intervals = blocks.iter().map(|&block| bounds.intervals[block as usize]);
        let mut found = [0; 2];
        for (interval, &value) in intervals.zip(values) {
            found[0] += usize::from(value < interval.lower);
            found[1] += usize::from(value > interval.upper);
        }
        found
    }

    /// The negative control: with the roles of the players exchanged in the operator, D⁺ breaks on KRK and KQK, and D⁻ on
    /// the same games with colours exchanged. With the roles as they are nothing breaks.
    #[test]
    fn exchanged_roles_break_the_bounds() {
        for name in ["KRK", "KQK"] {
            let known = Known::new(name);
            let players = players(&known.moves);
            let mirrored: Vec<Player> = players.iter().map(|player| player.opponent()).collect();
            let mirrored_values: Vec<i8> = known.values.iter().map(|value| -value).collect();
            let graph = &known.moves.graph;
            let vertices = known.moves.vertices();
            let arena = |players: &[Player]| Arena::new(graph, players, vertices);
            // Every state alone: nothing is lost in blocks.
            let alone: Vec<u32> = (0..vertices as u32).collect();
            assert_eq!(violations(&arena(&players), &alone, &known.values), [0, 0]);
            let mirror = arena(&mirrored);
            assert_eq!(violations(&mirror, &alone, &mirrored_values), [0, 0]);
            let exchanged = arena(&players).with_roles_exchanged();
            assert!(
                violations(&exchanged, &alone, &known.values)[1] > 0,
                "{name}"
            );
            let exchanged = arena(&mirrored).with_roles_exchanged();
            assert!(
                violations(&exchanged, &alone, &mirrored_values)[0] > 0,
                "{name}"
            );
        }
    }

    /// The side to move and the end of the game are what the graph says; an en-passant state has the features of its
    /// placement, and one more.
    #[test]
    fn features_agree_with_the_graph() {
        for name in ["KRK", "KPK"] {
            let known = Known::new(name);
            let signed = known.signed(Language::Material);
            assert_eq!(signed.features.len(), 2, "side and end");
            for vertex in (0..known.moves.vertices()).map(StateIndex::new) {
                let label = known.moves.label(vertex);
                let end = match label {
                    Label::Checkmate(_) => 1,
                    Label::Stalemate(_) => 2,
                    _ => 0,
                };
                let row = [u8::from(label.turn().is_black()), end];
                assert_eq!(signed.rows.of(vertex), row, "{name}");
            }
        }
    }
}
