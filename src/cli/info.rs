//! `info`: what a certificate claims, without checking it.

use std::path::PathBuf;

use dchess::verify::{Body, Certificate, Encoding};
use serde::Serialize;

use super::failure::{Exit, Failure};
use super::input::read_each_mate;
use super::output::{Output, grouped, one_line, shown_path};

/// Show what a certificate claims, without checking the claim
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The container and its digest (or the id of a JSON certificate) are checked, the claim is not: that
is what `dchess verify` does.

With --mates, prints for each mate in a bundle a line with its number, its id and its claim, with
tabs between them, while the file is read. They are what the file says, too: a file that turns out
to be malformed is an error in the end, whatever was printed before.

Examples:
  dchess info certificates/KQK.bin
  dchess info certificates/KQK.bin --json
  dchess info suite.bin --mates")]
pub(crate) struct Args {
    /// The certificate, `-` for standard input
    file: PathBuf,

    /// List the mates in a bundle instead
    #[arg(long)]
    mates: bool,

    /// Print one line of JSON, with --mates one a mate
    #[arg(long)]
    json: bool,
}

/// What `--mates --json` prints for each mate.
#[derive(Serialize)]
struct MateLine<'a> {
    number: u64,
    verified: bool,
    claim: &'a str,
    id: String,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    file: String,
    verified: bool,
    claim: String,
    id: String,
    kind: &'static str,
    version: u32,
    encoding: String,
    bytes: u64,
    children: Vec<Child>,
    counts: Counts,
}

#[derive(Serialize)]
struct Child {
    claim: String,
    id: String,
}

/// The counted fields of a certificate, by kind.
#[derive(Serialize)]
#[serde(untagged)]
enum Counts {
    EndgameTable {
        raw_states: u64,
        states: u64,
        edges: u64,
        legal_moves: u64,
        symmetry_comparisons: u64,
        checkmates: u64,
        stalemates: u64,
        wins: u64,
        losses: u64,
        draws: u64,
        max_dtm_plies: u16,
        max_dtm_states: u64,
    },
    Bisimulation {
        states: u64,
        edges: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        en_passant_states: Option<u64>,
        blocks: usize,
        blocks_per_round: Vec<u64>,
    },
    Bounds {
        states: u64,
        edges: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        en_passant_states: Option<u64>,
        rounds: u16,
        deleted_strict: u64,
        deleted_equal: u64,
        deleted_open: u64,
    },
    LocalProof {
        positions: usize,
        moves: u64,
        deleted_strict: u64,
        deleted_equal: u64,
    },
    Mate {
        strategy_bytes: usize,
        refutation_bytes: usize,
    },
    Proof {
        state_bytes: usize,
        node_bytes: usize,
        deleted_strict: u64,
        deleted_equal: u64,
    },
    Bundle {
        mates: u64,
    },
    Orderings {
        positions: usize,
        attempts: u64,
        /// Lexical, forcing, tension, exchange.
        proof_nodes: [u64; 4],
        /// Fewer, as many, more.
        exchange_vs_forcing: [u64; 3],
        reply_branches: u64,
        mating_continuations: u64,
    },
    Abstraction {
        blocks: usize,
        tree_lines: usize,
    },
}

impl Counts {
    fn of(body: &Body) -> Counts {
        match body {
            Body::EndgameTable(table) => Counts::EndgameTable {
                raw_states: table.raw_states,
                states: table.states,
                edges: table.edges,
                legal_moves: table.legal_moves,
                symmetry_comparisons: table.symmetry_comparisons,
                checkmates: table.checkmates,
                stalemates: table.stalemates,
                wins: table.white_wins.saturating_add(table.black_wins),
                losses: table.white_losses.saturating_add(table.black_losses),
                draws: table.white_draws.saturating_add(table.black_draws),
                max_dtm_plies: table.max_dtm_plies,
                max_dtm_states: table.max_dtm_states,
            },
            Body::Bisimulation(found) => Counts::Bisimulation {
                states: found.states,
                edges: found.edges,
                en_passant_states: found.en_passant_states,
                blocks: found.parents.len(),
                blocks_per_round: found.blocks_per_round.clone(),
            },
            Body::Bounds(found) => Counts::Bounds {
                states: found.states,
                edges: found.edges,
                en_passant_states: found.en_passant_states,
                rounds: found.rounds,
                deleted_strict: found.deleted_strict,
                deleted_equal: found.deleted_equal,
                deleted_open: found.deleted_open,
            },
            // Each position has one lower bound.
            Body::LocalProof(found) => Counts::LocalProof {
                positions: found.lower.len(),
                moves: found.moves,
                deleted_strict: found.deleted_strict,
                deleted_equal: found.deleted_equal,
            },
            Body::Mate(found) => Counts::Mate {
                strategy_bytes: found.strategy.len(),
                refutation_bytes: found.refutation.len(),
            },
            Body::Proof(found) => Counts::Proof {
                state_bytes: found.states.len(),
                node_bytes: found.nodes.len(),
                deleted_strict: found.deleted_strict,
                deleted_equal: found.deleted_equal,
            },
            Body::Bundle(found) => Counts::Bundle {
                mates: found.mates(),
            },
            Body::Orderings(found) => Counts::Orderings {
                positions: found.positions.len(),
                attempts: found.attempts,
                proof_nodes: found.proof_nodes,
                exchange_vs_forcing: [found.wins, found.ties, found.losses],
                reply_branches: found.reply_branches,
                mating_continuations: found.mating_continuations,
            },
            Body::Abstraction(found) => Counts::Abstraction {
                blocks: found.lower.len(),
                tree_lines: found.tree.len(),
            },
        }
    }

    /// Names and figures for people.
    fn lines(&self) -> Vec<(&'static str, String)> {
        let states = |states: u64, edges: u64, en_passant: Option<u64>| {
            let mut lines = vec![
                ("canonical states", grouped(states)),
                ("edges", grouped(edges)),
            ];
            lines.extend(en_passant.map(|count| ("en-passant states", grouped(count))));
            lines
        };
        match *self {
            Counts::EndgameTable {
                raw_states,
                states,
                edges,
                legal_moves,
                symmetry_comparisons,
                checkmates,
                stalemates,
                wins,
                losses,
                draws,
                max_dtm_plies,
                max_dtm_states,
            } => vec![
                ("raw legal states", grouped(raw_states)),
                ("canonical states", grouped(states)),
                ("edges", grouped(edges)),
                ("legal moves", grouped(legal_moves)),
                ("symmetry comparisons", grouped(symmetry_comparisons)),
                ("checkmates", grouped(checkmates)),
                ("stalemates", grouped(stalemates)),
                ("wins, side to move", grouped(wins)),
                ("losses, side to move", grouped(losses)),
                ("draws", grouped(draws)),
                ("longest mate", format!("{max_dtm_plies} plies")),
                ("states there", grouped(max_dtm_states)),
            ],
            Counts::Bisimulation {
                states: count,
                edges,
                en_passant_states,
                blocks,
                ref blocks_per_round,
            } => {
                let mut lines = states(count, edges, en_passant_states);
                let rounds = blocks_per_round.len().saturating_sub(1);
                lines.push(("blocks", grouped(blocks as u64)));
                lines.push(("rounds", grouped(rounds as u64)));
                lines
            }
            Counts::Bounds {
                states: count,
                edges,
                en_passant_states,
                rounds,
                deleted_strict,
                deleted_equal,
                deleted_open,
            } => {
                let mut lines = states(count, edges, en_passant_states);
                lines.extend([
                    ("rounds", rounds.to_string()),
                    ("deleted, strict", grouped(deleted_strict)),
                    ("deleted, equal", grouped(deleted_equal)),
                    ("of both, open", grouped(deleted_open)),
                ]);
                lines
            }
            Counts::LocalProof {
                positions,
                moves,
                deleted_strict,
                deleted_equal,
            } => vec![
                ("positions", grouped(positions as u64)),
                ("moves", grouped(moves)),
                ("deleted, strict", grouped(deleted_strict)),
                ("deleted, equal", grouped(deleted_equal)),
            ],
            Counts::Mate {
                strategy_bytes,
                refutation_bytes,
            } => vec![
                ("strategy, bytes", grouped(strategy_bytes as u64)),
                ("refutation, bytes", grouped(refutation_bytes as u64)),
            ],
            Counts::Proof {
                state_bytes,
                node_bytes,
                deleted_strict,
                deleted_equal,
            } => vec![
                ("states, bytes", grouped(state_bytes as u64)),
                ("nodes, bytes", grouped(node_bytes as u64)),
                ("deleted, strict", grouped(deleted_strict)),
                ("deleted, equal", grouped(deleted_equal)),
            ],
            Counts::Bundle { mates } => vec![("mates", grouped(mates))],
            Counts::Abstraction { blocks, tree_lines } => vec![
                ("blocks", grouped(blocks as u64)),
                ("tree lines", grouped(tree_lines as u64)),
            ],
            Counts::Orderings {
                positions,
                attempts,
                proof_nodes: [lexical, forcing, tension, exchange],
                exchange_vs_forcing: [fewer, as_many, more],
                reply_branches,
                mating_continuations,
            } => vec![
                ("positions", grouped(positions as u64)),
                ("attempts", grouped(attempts)),
                ("nodes, lexical", grouped(lexical)),
                ("nodes, forcing", grouped(forcing)),
                ("nodes, tension", grouped(tension)),
                ("nodes, exchange", grouped(exchange)),
                ("exchange fewer", grouped(fewer)),
                ("exchange as many", grouped(as_many)),
                ("exchange more", grouped(more)),
                ("reply branches", grouped(reply_branches)),
                ("mating moves", grouped(mating_continuations)),
            ],
        }
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let file = shown_path(&args.file);
    if args.mates {
        return list_mates(args, &file, output);
    }
    let certificate = read_each_mate(&args.file, &mut |_, _, _| {})
        .map_err(|refusal| Failure::Error(format!("{file}: {refusal}")))?;
    let report = report(file, &certificate);
    if args.json {
        output.json(&report)?;
    } else {
        print(&report, output)?;
    }
    Ok(Exit::Established)
}

/// Lists the mates in a bundle as they pass. Their claims are of the list, so they are one line each.
fn list_mates(args: &Args, file: &str, output: &mut Output) -> Result<Exit, Failure> {
    let mut listed = Ok(());
    let certificate = read_each_mate(&args.file, &mut |number, claim, id| {
        if listed.is_ok() {
            listed = if args.json {
                output.json(&MateLine {
                    number,
                    verified: false,
                    claim,
                    id: id.to_string(),
                })
            } else {
                output.line(&format!("{number}\t{id}\t{claim}"))
            };
        }
    });
    listed?;
    let certificate =
        certificate.map_err(|refusal| Failure::Error(format!("{file}: {refusal}")))?;
    match certificate.body {
        Body::Bundle(_) => Ok(Exit::Established),
        body => Err(Failure::Error(format!(
            "{file}: --mates is for a bundle, this is a certificate of kind {}",
            body.kind_name()
        ))),
    }
}

fn report(file: String, certificate: &Certificate) -> Report {
    Report {
        file,
        verified: false,
        claim: one_line(&certificate.claim),
        id: certificate.id.to_string(),
        kind: certificate.body.kind_name(),
        version: certificate.version,
        encoding: match certificate.encoding {
            Encoding::Binary { codec } => format!("binary, codec {codec}"),
            Encoding::Json => "JSON".to_owned(),
        },
        bytes: certificate.bytes,
        children: certificate
            .children
            .iter()
            .map(|child| Child {
                claim: one_line(&child.claim),
                id: child.id.to_string(),
            })
            .collect(),
        counts: Counts::of(&certificate.body),
    }
}

fn print(report: &Report, output: &mut Output) -> Result<(), Failure> {
    let children: Vec<String> = report
        .children
        .iter()
        .map(|child| format!("{} {}", child.claim, child.id))
        .collect();
    output.line("not verified: this is what the file says; `dchess verify` checks it")?;
    output.line("")?;
    for (name, text) in [
        ("file", report.file.clone()),
        ("claim", report.claim.clone()),
        ("id", report.id.clone()),
        (
            "kind",
            format!("{}, version {}", report.kind, report.version),
        ),
        (
            "size",
            format!("{} bytes, {}", grouped(report.bytes), report.encoding),
        ),
        (
            "children",
            if children.is_empty() {
                "none".to_owned()
            } else {
                children.join(&format!("\n{:23}", ""))
            },
        ),
    ]
    .into_iter()
    .chain(report.counts.lines())
    {
        output.line(&format!("{name:22} {text}"))?;
    }
    Ok(())
}
