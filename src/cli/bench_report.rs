//! What `mate-bench` prints.

use serde::Serialize;

use super::bench_run::{BEST, EXCHANGE, FORCING, Measured, TENSION};
use super::bootstrap::{Interval, ratio_interval};
use super::failure::Failure;
use super::output::{Output, grouped};

/// What an order takes over all positions that every order decided.
#[derive(Serialize)]
pub(crate) struct OrderingReport {
    pub(crate) name: String,
    pub(crate) proof_nodes: u64,
    /// In percent; negative if it takes more; none if nothing was decided.
    pub(crate) reduction_vs_lexical: Option<f64>,
    pub(crate) reduction_vs_forcing: Option<f64>,
    pub(crate) reduction_vs_tension: Option<f64>,
    /// In percent.
    pub(crate) reduction_vs_forcing_ci95: Option<Interval>,
    pub(crate) wall_seconds: f64,
    pub(crate) cpu_seconds: Option<f64>,
}

/// Positions in which an order takes fewer proof nodes than another, as many, and more.
#[derive(Serialize)]
pub(crate) struct Score {
    pub(crate) wins: u64,
    pub(crate) ties: u64,
    pub(crate) losses: u64,
}

impl Score {
    fn of(some: &[u64], others: &[u64]) -> Score {
        let count = |is: fn(&u64, &u64) -> bool| {
            let pairs = some.iter().zip(others);
            pairs.filter(|(some, other)| is(some, other)).count() as u64
        };
        Score {
            wins: count(u64::lt),
            ties: count(u64::eq),
            losses: count(u64::gt),
        }
    }
}

/// The comparison of the orders.
pub(crate) struct Comparison {
    pub(crate) orderings: Vec<OrderingReport>,
    pub(crate) exchange_vs_forcing: Score,
    pub(crate) best_vs_forcing: Score,
    /// Positions that every order decided.
    pub(crate) decided: usize,
    /// Those of them that are mates.
    pub(crate) mates: usize,
}

impl Comparison {
    /// Compares over the positions that all orders decided. The seed is that of the resampling.
    ///
    /// # Errors
    ///
    /// If two orders have different verdicts, a fault of this program.
    pub(crate) fn of(measured: &[Measured<'_>], seed: u64) -> Result<Comparison, Failure> {
        let count = measured.first().map_or(0, |first| first.proofs.len());
        let mut nodes: Vec<Vec<u64>> = vec![Vec::new(); measured.len()];
        let mut mates = 0;
        for place in 0..count {
            let proofs: Option<Vec<_>> = measured.iter().map(|each| each.proofs[place]).collect();
            let Some(proofs) = proofs else {
                continue;
            };
            if proofs.iter().any(|proof| proof.mates != proofs[0].mates) {
                return Err(Failure::Error(format!(
                    "position {place}: two orders have different verdicts; this is a fault of dchess, please report it"
                )));
            }
            mates += usize::from(proofs[0].mates);
            for (nodes, proof) in nodes.iter_mut().zip(proofs) {
                nodes.push(proof.proof_nodes);
            }
        }
        let total = |place: usize| nodes[place].iter().sum::<u64>();
        let reduction = |nodes: u64, other: usize| match total(other) {
            0 => None,
            total => Some(100.0 * (1.0 - nodes as f64 / total as f64)),
        };
        let report = |(place, each): (usize, &Measured<'_>)| {
            let proof_nodes = total(place);
            let ratios = ratio_interval(&nodes[place], &nodes[FORCING], seed);
            OrderingReport {
                name: each.ordering.name.to_owned(),
                proof_nodes,
                reduction_vs_lexical: reduction(proof_nodes, 0),
                reduction_vs_forcing: reduction(proof_nodes, FORCING),
                reduction_vs_tension: reduction(proof_nodes, TENSION),
                reduction_vs_forcing_ci95: ratios
                    .map(|[low, high]| [100.0 * (1.0 - high), 100.0 * (1.0 - low)]),
                wall_seconds: each.wall_seconds,
                cpu_seconds: each.cpu_seconds,
            }
        };
        Ok(Comparison {
            orderings: measured.iter().enumerate().map(report).collect(),
            exchange_vs_forcing: Score::of(&nodes[EXCHANGE], &nodes[FORCING]),
            best_vs_forcing: Score::of(&nodes[BEST], &nodes[FORCING]),
            decided: nodes[0].len(),
            mates,
        })
    }

    /// The table for people.
    pub(crate) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        if self.decided == 0 {
            return output.line("no position was decided with every order");
        }
        let names = self.orderings.iter().map(|each| each.name.len());
        let width = names.max().unwrap_or(0).max(9);
        output.line(&format!(
            "{:width$} proof nodes  vs lexical  vs forcing  (95 % interval)    vs tension     wall s  ratio      cpu s  ns a node",
            "ordering"
        ))?;
        let forcing = &self.orderings[FORCING];
        for each in &self.orderings {
            let nodes = grouped(each.proof_nodes);
            let interval = each.reduction_vs_forcing_ci95;
            let interval = interval.map_or("-".to_owned(), |[low, high]| {
                format!("({low:.1} to {high:.1})")
            });
            let cpu = each.cpu_seconds;
            let figure = |value: Option<f64>, places: usize| {
                value.map_or("-".to_owned(), |value| format!("{value:.places$}"))
            };
            let a_node = cpu.map(|seconds| seconds * 1e9 / each.proof_nodes.max(1) as f64);
            output.line(&format!(
                "{:width$} {nodes:>11} {:>9} % {:>9} %  {interval:17} {:>9} % {:>10.6} {:>6.2} {:>10} {:>10}",
                each.name,
                figure(each.reduction_vs_lexical, 2),
                figure(each.reduction_vs_forcing, 2),
                figure(each.reduction_vs_tension, 2),
                each.wall_seconds,
                each.wall_seconds / forcing.wall_seconds,
                figure(cpu, 6),
                figure(a_node, 1),
            ))?;
        }
        output.line("")?;
        for (name, score) in [
            ("exchange", &self.exchange_vs_forcing),
            ("best", &self.best_vs_forcing),
        ] {
            output.line(&format!(
                "{name} against forcing: fewer nodes in {}, as many in {}, more in {}",
                grouped(score.wins),
                grouped(score.ties),
                grouped(score.losses)
            ))?;
        }
        Ok(())
    }
}
