//! `export`: a table as rows for other programs.

use std::path::PathBuf;

use clap::ValueEnum;
use dchess::endgame::{Enumeration, Material, Placement, value_of};
use dchess::game::{Outcome, Value};
use dchess::rules::position_fen;
use shakmaty::{Color, Square};

use super::failure::{Exit, Failure};
use super::interrupt;
use super::npy;
use super::output::{Output, grouped, shown_path};
use super::progress::Progress;
use super::sink::Sink;
use super::table::Table;
use super::threads::Threads;

/// Write every position of a table as rows of CSV or NumPy
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One row for each canonical state, in canonical order: as many as `info` says. All positions of the
class are their images under the symmetries of the board. Positions with a right to capture en
passant are left out.

CSV has a line of names, then rows with the columns
  fen      the position, six fields; with --squares instead one column a man, in the order of the
           class's name: wk, wq, wr, wb, wn, wp, bk, … with the name of its square (a1 to h8);
           like men are numbered: wn1, wn2
  side     w or b, the side to move
  value    win, draw or loss, for the side to move
  plies    plies to mate; empty for a draw

NumPy is a one-dimensional structured array in a file of format 1.0, each field one byte:
  wk, …    u1, the squares of the men as above, from a1 = 0, b1 = 1 to h8 = 63
  side     u1, 0 if White is to move and 1 if Black is
  value    i1, 1, 0 or -1 for a win, draw or loss of the side to move
  plies    u1, plies to mate; 255 for a draw

Exit codes: 0 every row was written, 1 --verify refuted the certificate, 2 otherwise.

Examples:
  dchess export certificates/KQK.bin | head
  dchess export certificates/KQK.bin --squares --out kqk.csv
  dchess export certificates/KRK.bin --out krk.npy
  python3 -c 'import numpy; print(numpy.load(\"krk.npy\")[\"plies\"].mean())'")]
pub(crate) struct Args {
    /// The certificate of an endgame, `-` for standard input
    certificate: PathBuf,

    /// The format of the rows [default: csv, or npy if --out ends in .npy]
    #[arg(long)]
    format: Option<FormatArg>,

    /// In CSV, a column for the square of each man instead of the FEN
    #[arg(long)]
    squares: bool,

    /// Where the rows go, `-` for standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,

    /// Replace a file that is there
    #[arg(long)]
    force: bool,

    /// Check the certificate first
    #[arg(long)]
    verify: bool,

    /// Print neither progress nor the number of rows
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    threads: Threads,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArg {
    /// Comma-separated text
    Csv,
    /// A structured array for NumPy
    Npy,
}

/// The shape of a row.
#[derive(Clone, Copy)]
enum Row {
    Fen,
    Squares,
    Npy,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let row = args.row();
    // Until here Ctrl-C ends the process at once; verifying does not look out for it.
    let table = Table::open(&args.certificate, args.verify)?;
    interrupt::listen();
    let mut sink = Sink::open(Some(&args.out), Some(&args.certificate), args.force, output)?;
    if matches!(row, Row::Npy) && sink.is_terminal() {
        return Err(Failure::Error(
            "NumPy data is binary and standard output is a terminal; give --out FILE".to_owned(),
        ));
    }
    let progress = Progress::new(args.quiet || sink.is_terminal());
    let rows = args
        .threads
        .pool()?
        .install(|| export(&table, row, &progress, &mut sink))?;
    drop(progress);
    if sink.finish()? && !args.quiet {
        let checked = if table.is_verified {
            ""
        } else {
            ", not verified"
        };
        output.line(&format!(
            "{} rows of {}{checked}: {}",
            grouped(rows),
            table.material,
            shown_path(&args.out)
        ))?;
    }
    Ok(Exit::Established)
}

impl Args {
    fn row(&self) -> Row {
        let extension = self.out.extension().unwrap_or_default();
        match self.format {
            Some(FormatArg::Npy) => Row::Npy,
            None if extension.eq_ignore_ascii_case("npy") => Row::Npy,
            _ if self.squares => Row::Squares,
            _ => Row::Fen,
        }
    }
}

/// Writes the head and all rows; says how many rows there are.
fn export(table: &Table, row: Row, progress: &Progress, sink: &mut Sink) -> Result<u64, Failure> {
    let enumeration = Enumeration::of(&table.material, progress)?;
    let rows = enumeration.ordinary();
    if rows != table.values().len() {
        return Err(table.wrong_number());
    }
    if sink
        .bytes(&row.head(&table.material, rows as u64)?)?
        .is_break()
    {
        return Ok(0);
    }
    enumeration.each_block(
        progress,
        |placements| {
            let mut bytes = Vec::new();
            for placement in placements {
                for (number, state) in placement.states() {
                    let byte = table.values()[number.get()];
                    row.put(&mut bytes, &placement, state.turn(), byte);
                }
            }
            bytes
        },
        |bytes| sink.bytes(&bytes),
    )?;
    Ok(rows as u64)
}

impl Row {
    /// What comes before the rows.
    fn head(self, material: &Material, rows: u64) -> Result<Vec<u8>, Failure> {
        let squares = columns(material);
        match self {
            Row::Fen => Ok(b"fen,side,value,plies\n".to_vec()),
            Row::Squares => Ok(format!("{},side,value,plies\n", squares.join(",")).into_bytes()),
            Row::Npy => {
                let squares = squares.into_iter().map(|name| (name, "u1"));
                let rest = [("side", "u1"), ("value", "i1"), ("plies", "u1")];
                let rest = rest.map(|(name, kind)| (name.to_owned(), kind));
                npy::head(&squares.chain(rest).collect::<Vec<_>>(), rows)
                    .ok_or_else(|| Failure::Error("too many columns for NumPy".to_owned()))
            }
        }
    }

    /// Adds the row of a state with this byte.
    fn put(self, bytes: &mut Vec<u8>, placement: &Placement, turn: Color, byte: u8) {
        let value = value_of(byte);
        match self {
            Row::Npy => {
                bytes.extend(placement.squares().iter().map(|&square| u8::from(square)));
                bytes.push(u8::from(turn.is_black()));
                let sign: i8 = match value.outcome() {
                    Outcome::Win => 1,
                    Outcome::Draw => 0,
                    Outcome::Loss => -1,
                };
                bytes.extend(sign.to_le_bytes());
                bytes.push(byte);
                return;
            }
            Row::Squares => {
                let names: Vec<String> =
                    placement.squares().iter().map(Square::to_string).collect();
                bytes.extend(names.join(",").as_bytes());
            }
            Row::Fen => {
                bytes.extend(position_fen(&placement.position(turn)).as_bytes());
            }
        }
        bytes.extend(rest(turn, value).as_bytes());
    }
}

/// The last columns of a row of CSV, and its end.
fn rest(turn: Color, value: Value) -> String {
    let (side, word) = (turn.char(), value.outcome().word());
    match value.distance() {
        Some(plies) => format!(",{side},{word},{}\n", plies.get()),
        None => format!(",{side},{word},\n"),
    }
}

/// The columns of the men, in the order of the class's name.
fn columns(material: &Material) -> Vec<String> {
    let men = material.men();
    let column = |(place, man): (usize, &shakmaty::Piece)| {
        let name = format!("{}{}", man.color.char(), man.role.char());
        let like = |men: &[shakmaty::Piece]| men.iter().filter(|&other| other == man).count();
        match like(men) {
            1 => name,
            _ => format!("{name}{}", like(&men[..=place])),
        }
    };
    men.iter().enumerate().map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_men_are_numbered() {
        let columns = |name: &str| columns(&name.parse().unwrap()).join(" ");
        assert_eq!(columns("KQK"), "wk wq bk");
        assert_eq!(columns("KNNK"), "wk wn1 wn2 bk");
        assert_eq!(columns("KPPKP"), "wk wp1 wp2 bk bp");
        assert_eq!(columns("KRKR"), "wk wr bk br");
    }
}
