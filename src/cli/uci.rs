//! `uci`: the prover behind the Universal Chess Interface, for graphical programs and scripts.
//!
//! ```text
//! standard input ─► line ─► command ─► Engine ─► standard output
//!                                      ▲    │
//!                              news of │    ▼
//!                                      hunt, in a thread of its own
//! ```
//!
//! One thread reads, one searches, and the one between them alone writes. It never waits for the search: whatever has been heard of it is the answer
//! when somebody says `stop` or the time is over, and what a search that was stopped still has to say is not listened to. So `isready` and `stop` are answered at
//! once, however long the search takes to notice, and each `go` has exactly one `bestmove`.

mod command;
mod hunt;
mod limits;
mod line;
mod options;
mod report;
mod setup;
mod stopgap;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use dchess::mate::Budget;
use shakmaty::{Chess, Position};

use super::failure::{Exit, Failure};
use super::output::{Output, one_line};
use command::Command;
use hunt::{Hunt, News, Watch};
use limits::Limits;
use line::Line;
use options::Options;
use report::Report;

/// Prove mates for a graphical program or a script, by the UCI protocol on standard input and output
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A score `mate N` is printed only if it is proved; `lowerbound` behind it says that a shorter mate is not
yet refuted, and `mate -N` that the side to move is mated. `info string refuted in N` says that there is no
mate in N moves. Without a proved mate the move after `bestmove` is some legal move, and says nothing.

At the end of the input a search that ends by itself is waited for; `go infinite` is stopped.

Examples:
  dchess uci
  printf 'position fen 7k/8/8/6K1/8/8/8/5Q2 w - - 0 1\\ngo mate 3\\n' | dchess uci")]
pub(crate) struct Args {}

/// How often a search that says nothing else says where it is.
const TICK: Duration = Duration::from_millis(1_000);

/// What the engine hears.
enum Event {
    Line(Line),
    End,
    /// News of a search, with its number.
    News(u64, News),
}

/// Lines that may wait for the end of a search.
const MOST_WAITING: usize = 100_000;

pub(crate) fn run(_: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let (sender, events) = channel();
    let lines = sender.clone();
    let reader = move || {
        let mut input = std::io::stdin().lock();
        while let Some(line) = line::next(&mut input) {
            if lines.send(Event::Line(line)).is_err() {
                return;
            }
        }
        // Nobody is left to be told if this fails.
        let _ = lines.send(Event::End);
    };
    start_thread("reader", reader)?;
    let mut engine = Engine {
        options: Options::new(),
        position: Chess::default(),
        search: None,
        searches: 0,
        last: None,
        sender,
        is_at_end: false,
        waiting: VecDeque::new(),
    };
    engine.serve(&events, output)?;
    Ok(Exit::Established)
}

fn start_thread(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, Failure> {
    let builder = thread::Builder::new().name(name.to_owned());
    let started = builder.spawn(work);
    started.map_err(|error| Failure::context("cannot start a thread", &error))
}

/// A `go` that has had no `bestmove`.
struct Search {
    number: u64,
    watch: Arc<Watch>,
    report: Report,
    limits: Limits,
    deadline: Option<Instant>,
    /// No `bestmove` before `stop`, whatever is found.
    is_held: bool,
    /// The search ended; whether it decided all that was asked.
    over: Option<bool>,
    next_tick: Instant,
}

impl Search {
    /// When something is to be done though nothing is heard.
    fn wake(&self) -> Option<Instant> {
        let tick = self.over.is_none().then_some(self.next_tick);
        tick.into_iter().chain(self.deadline).min()
    }
}

struct Engine {
    options: Options,
    position: Chess,
    search: Option<Search>,
    /// The number of the last search.
    searches: u64,
    /// The thread of the last search, which may still be on its way out.
    last: Option<JoinHandle<()>>,
    sender: Sender<Event>,
    is_at_end: bool,
    /// What was said while a search was running that ends by itself, and is about the next one.
    waiting: VecDeque<String>,
}

impl Engine {
    /// Answers until somebody says `quit`, nobody says anything any more, or nobody listens.
    fn serve(&mut self, events: &Receiver<Event>, output: &mut Output) -> Result<(), Failure> {
        loop {
            if self.search.is_none()
                && let Some(text) = self.waiting.pop_front()
            {
                // A line that ends everything does not wait.
                let _ = self.obey(&text, output)?;
                if self.is_at_end {
                    self.stop_if_held(output)?;
                }
                continue;
            }
            if output.is_closed() || self.is_at_end && self.search.is_none() {
                return Ok(());
            }
            let event = match self.search.as_ref().and_then(Search::wake) {
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(wake) => events.recv_timeout(wake.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(Event::Line(Line::Text(text))) if self.must_wait(&text) => {
                    if self.waiting.len() < MOST_WAITING {
                        self.waiting.push_back(text);
                    } else {
                        remark("too much is waiting for the end of the search", output)?;
                    }
                }
                Ok(Event::Line(Line::Text(text))) => {
                    if self.obey(&text, output)?.is_break() {
                        return Ok(());
                    }
                }
                Ok(Event::Line(Line::Unusable(reason))) => remark(reason, output)?,
                Ok(Event::News(number, news)) => self.hear(number, news, output)?,
                Ok(Event::End) => {
                    self.is_at_end = true;
                    self.stop_if_held(output)?;
                }
                Err(RecvTimeoutError::Timeout) => self.wake(output)?,
                // The reader ends only after it has said so.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Whether a line is about the next search, while one is running that ends by itself or others wait for that.
    fn must_wait(&self, text: &str) -> bool {
        let is_busy = self.search.as_ref().is_some_and(|search| !search.is_held);
        let is_next = || {
            matches!(
                Command::parse(text),
                Ok(Command::Go(_) | Command::Position(_) | Command::SetOption { .. })
            )
        };
        (is_busy || !self.waiting.is_empty()) && is_next()
    }

    fn obey(
        &mut self,
        text: &str,
        output: &mut Output,
    ) -> Result<std::ops::ControlFlow<()>, Failure> {
        use std::ops::ControlFlow::{Break, Continue};
        match Command::parse(text) {
            Ok(Command::Nothing) => {}
            Ok(Command::Uci) => self.introduce(output)?,
            Ok(Command::IsReady) => say("readyok", output)?,
            Ok(Command::SetOption { name, value }) => {
                if let Err(reason) = self.options.set(&name, value.as_deref()) {
                    remark(&reason, output)?;
                }
            }
            Ok(Command::Position(words)) => match setup::position(&words) {
                Ok(position) => self.position = position,
                Err(reason) => {
                    remark(&format!("{reason}; the position stays as it was"), output)?;
                }
            },
            Ok(Command::Go(words)) => self.go(&words, output)?,
            Ok(Command::Stop) => self.stop(output)?,
            Ok(Command::PonderHit) => self.ponder_hit(output)?,
            Ok(Command::Quit) => {
                self.stop(output)?;
                return Ok(Break(()));
            }
            Err(reason) => remark(&reason, output)?,
        }
        Ok(Continue(()))
    }

    fn introduce(&self, output: &mut Output) -> Result<(), Failure> {
        say(
            concat!("id name dchess ", env!("CARGO_PKG_VERSION")),
            output,
        )?;
        say("id author the authors of dchess", output)?;
        for line in self.options.lines() {
            say(&line, output)?;
        }
        say("uciok", output)
    }

    fn go(&mut self, words: &[&str], output: &mut Output) -> Result<(), Failure> {
        // A search without end that is running is over with the next one.
        self.stop(output)?;
        let (limits, remarks) = Limits::parse(words, &self.position);
        for reason in remarks {
            remark(&reason, output)?;
        }
        let now = Instant::now();
        self.searches += 1;
        let watch = Arc::new(Watch::default());
        let mut search = Search {
            number: self.searches,
            report: Report::new(&self.position, &limits.first, now, Arc::clone(&watch)),
            watch,
            deadline: limits.deadline(now),
            is_held: limits.is_infinite || limits.is_ponder,
            limits,
            over: None,
            next_tick: now + TICK,
        };
        if self.position.legal_moves().is_empty() {
            search.over = Some(true);
        } else if let Err(Failure::Error(reason)) = self.start(&search) {
            remark(&reason, output)?;
            search.over = Some(false);
        }
        self.search = Some(search);
        self.end_if_over(output)
    }

    /// Starts the thread of a search.
    fn start(&mut self, search: &Search) -> Result<(), Failure> {
        let limits = &search.limits;
        let hunt = Hunt {
            position: self.position.clone(),
            first: limits.first.clone(),
            longest_attack: limits.longest_attack,
            longest_defence: limits.longest_defence,
            keys: self.options.multi_pv,
            budget: Budget {
                nodes: limits.nodes.unwrap_or(u64::MAX),
                hash_bytes: self.options.hash_bytes(),
                threads: self.options.threads,
                ..Budget::default()
            },
        };
        let number = search.number;
        let watch = Arc::clone(&search.watch);
        let sender = self.sender.clone();
        let last = self.last.take();
        self.last = Some(start_thread("search", move || {
            // Two searches at a time would need the memory of both. One that panicked has none.
            if let Some(last) = last {
                let _ = last.join();
            }
            let farewell = Farewell { number, sender };
            // Nobody listens any more if this fails.
            hunt.run(&watch, &|news| {
                let _ = farewell.sender.send(Event::News(number, news));
            });
        })?);
        Ok(())
    }

    fn hear(&mut self, number: u64, news: News, output: &mut Output) -> Result<(), Failure> {
        let Some(search) = self
            .search
            .as_mut()
            .filter(|search| search.number == number)
        else {
            return Ok(());
        };
        if let News::Over { is_decided } = news {
            search.over = search.over.or(Some(is_decided));
        }
        for line in search.report.hear(news) {
            say(&line, output)?;
        }
        self.end_if_over(output)
    }

    /// A deadline is reached, or it is time to say something.
    fn wake(&mut self, output: &mut Output) -> Result<(), Failure> {
        let now = Instant::now();
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        if search.deadline.is_some_and(|deadline| deadline <= now) {
            return self.stop(output);
        }
        if search.next_tick <= now {
            search.next_tick = now + TICK;
            for line in search.report.tick() {
                say(&line, output)?;
            }
        }
        Ok(())
    }

    fn ponder_hit(&mut self, output: &mut Output) -> Result<(), Failure> {
        if let Some(search) = self
            .search
            .as_mut()
            .filter(|search| search.limits.is_ponder)
        {
            search.limits.is_ponder = false;
            search.is_held = search.limits.is_infinite;
            search.deadline = search.limits.deadline(Instant::now());
        }
        self.end_if_over(output)
    }

    fn end_if_over(&mut self, output: &mut Output) -> Result<(), Failure> {
        let is_over = |search: &Search| search.over.is_some() && !search.is_held;
        if self.search.as_ref().is_some_and(is_over) {
            self.stop(output)?;
        }
        Ok(())
    }

    /// Ends a search that does not end by itself.
    fn stop_if_held(&mut self, output: &mut Output) -> Result<(), Failure> {
        match &self.search {
            Some(search) if search.is_held => self.stop(output),
            _ => Ok(()),
        }
    }

    /// Ends the search, if there is one, with what is known.
    fn stop(&mut self, output: &mut Output) -> Result<(), Failure> {
        let Some(mut search) = self.search.take() else {
            return Ok(());
        };
        search.watch.stop();
        for line in search.report.close(search.over.unwrap_or(false)) {
            say(&line, output)?;
        }
        Ok(())
    }
}

/// Says that the search is over when its thread ends, however it ends.
struct Farewell {
    number: u64,
    sender: Sender<Event>,
}

impl Drop for Farewell {
    fn drop(&mut self) {
        let news = News::Over { is_decided: false };
        // Nobody listens any more if this fails.
        let _ = self.sender.send(Event::News(self.number, news));
    }
}

fn say(line: &str, output: &mut Output) -> Result<(), Failure> {
    output.line(line)?;
    output.flush()
}

fn remark(reason: &str, output: &mut Output) -> Result<(), Failure> {
    say(&format!("info string {}", one_line(reason)), output)
}
