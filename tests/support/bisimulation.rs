//! Refinement once more, as slow and plain as can be, for graphs from anywhere; a reader of Aldebaran
//! files; and the JSON form of a bisimulation certificate taken apart.

use std::collections::{BTreeSet, HashMap};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::payload::{self, Payload, Text};

/// Labels and successors of the states of a graph.
pub struct Lts {
    pub labels: Vec<String>,
    pub successors: Vec<Vec<usize>>,
}

/// Numbers keys in the order in which they are met.
pub fn numbered<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let mut numbers = HashMap::new();
    keys.map(|key| {
        let next = numbers.len() as u32;
        *numbers.entry(key).or_insert(next)
    })
    .collect()
}

/// The partitions before the first round and after each, blocks numbered by their first states.
pub fn partitions(lts: &Lts) -> Vec<Vec<u32>> {
    let mut partitions = vec![numbered(lts.labels.iter())];
    loop {
        let last = partitions.last().unwrap();
        let signature = |state: usize| -> BTreeSet<u32> {
            lts.successors[state].iter().map(|&to| last[to]).collect()
        };
        let next = numbered((0..last.len()).map(|state| (last[state], signature(state))));
        let is_stable = next == *last;
        partitions.push(next);
        if is_stable {
            return partitions;
        }
    }
}

/// How many blocks a partition has.
pub fn count(partition: &[u32]) -> usize {
    partition.iter().max().map_or(0, |&most| most as usize + 1)
}

/// Reads an Aldebaran file: self-loops are labels. The counts of the header are held to the rest.
pub fn read_aut(text: &str) -> Lts {
    let mut lines = text.lines();
    let head = lines.next().unwrap().strip_prefix("des (").unwrap();
    let head: Vec<usize> = head
        .trim_end_matches(')')
        .split(", ")
        .map(|number| number.parse().unwrap())
        .collect();
    let [initial, transitions, states] = head[..] else {
        panic!("three numbers in the header");
    };
    assert_eq!(initial, 0);
    let mut loops = vec![BTreeSet::new(); states];
    let mut successors = vec![Vec::new(); states];
    let mut found = 0;
    for line in lines {
        let inner = line.strip_prefix('(').unwrap().strip_suffix(')').unwrap();
        let parts: Vec<&str> = inner.split(", ").collect();
        let [from, label, to] = parts[..] else {
            panic!("three parts in {line}");
        };
        let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
        if from == to {
            assert!(loops[from].insert(label.to_owned()), "{line} stands twice");
        } else {
            assert_eq!(label, if from == 0 { "init" } else { "m" }, "{line}");
            successors[from].push(to);
        }
        found += 1;
    }
    assert_eq!(found, transitions, "the header counts the transitions");
    let name = |labels: BTreeSet<String>| labels.into_iter().collect::<Vec<_>>().join(" ");
    Lts {
        labels: loops.into_iter().map(name).collect(),
        successors,
    }
}

/// The fields of a bisimulation certificate.
#[derive(Clone, Debug)]
pub struct Told {
    pub claim: String,
    pub children: Vec<(String, String)>,
    pub states: u64,
    pub edges: u64,
    pub en_passant_states: Option<u64>,
    pub blocks_per_round: Vec<u64>,
    pub map: Vec<u32>,
    pub parents: Vec<u32>,
    pub split_rounds: Vec<u32>,
    pub id: String,
}

impl Told {
    /// Takes the JSON form apart; there are no other keys.
    pub fn of(json: &[u8]) -> Told {
        let keys = [
            "blocks_per_round",
            "edges",
            "map",
            "parents",
            "split_rounds",
            "states",
        ];
        let text = Text::of(json, "bisimulation", &keys);
        let numbers = |key: &str| -> Vec<u32> {
            let bytes = text.bytes(key);
            let numbers = bytes.chunks(4);
            numbers
                .map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()))
                .collect()
        };
        let counts = text.value("blocks_per_round").as_array().unwrap().iter();
        Told {
            claim: text.string("claim"),
            children: text.children(),
            states: text.number("states"),
            edges: text.number("edges"),
            en_passant_states: text.en_passant_states(),
            blocks_per_round: counts.map(|count| count.as_u64().unwrap()).collect(),
            map: numbers("map"),
            parents: numbers("parents"),
            split_rounds: numbers("split_rounds"),
            id: text.string("id"),
        }
    }

    /// The payload, laid out by hand from the format page.
    pub fn payload(&self) -> Vec<u8> {
        let mut out = Payload::of(&self.claim, &self.children);
        out.number(self.states);
        out.number(self.edges);
        if let Some(states) = self.en_passant_states {
            out.number(states);
        }
        out.number(self.blocks_per_round.len() as u64);
        self.blocks_per_round
            .iter()
            .for_each(|&count| out.number(count));
        for list in [&self.map, &self.parents, &self.split_rounds] {
            out.number(list.len() as u64);
            out.0
                .extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        out.0
    }

    /// The keys and values of the JSON text, with an id that is right.
    pub fn json(&self) -> Value {
        let base64 = |numbers: &[u32]| {
            let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
            json!(STANDARD.encode(bytes))
        };
        let id = self.id_by_hand();
        let mut text = payload::text("bisimulation", &id, &self.claim, &self.children);
        text["states"] = json!(self.states);
        text["edges"] = json!(self.edges);
        text["blocks_per_round"] = json!(self.blocks_per_round);
        text["map"] = base64(&self.map);
        text["parents"] = base64(&self.parents);
        text["split_rounds"] = base64(&self.split_rounds);
        if let Some(states) = self.en_passant_states {
            text["en_passant_states"] = json!(states);
        }
        text
    }

    /// The id that the payload has by the format page.
    pub fn id_by_hand(&self) -> String {
        payload::id(2, &self.payload())
    }

    /// The partitions of all rounds, from the map and the tree, blocks numbered by their first states.
    pub fn partitions(&self) -> Vec<Vec<u32>> {
        let block_after = |round: usize, mut block: u32| {
            while self.split_rounds[block as usize] as usize > round {
                block = self.parents[block as usize];
            }
            block
        };
        (0..self.blocks_per_round.len())
            .map(|round| numbered(self.map.iter().map(|&block| block_after(round, block))))
            .collect()
    }
}
