use dchess::endgame::{Endgame, Library, Material, MoveGraph};
use dchess::game::*;
use dchess::solve::{bounds::{Bounds, value_for_max}, local::*};
struct G<'a> { graph: &'a Graph, players: &'a [Player], vertices: usize, mode: u32, mob: Vec<u32> }
impl Positions for G<'_> {
    type State = u32;
    fn player(&self, s: &u32) -> Player { self.players[*s as usize] }
    fn expand(&mut self, s: &u32) -> Expansion<u32> {
        let i = StateIndex::new(*s as usize);
        if let Some(v) = self.graph.end(i) { return Expansion::End(value_for_max(v, self.players[*s as usize])); }
        Expansion::Moves(self.graph.successors(i).iter().map(|t| match t.state() { None => Target::Known(0),
            Some(t) if t.get() >= self.vertices => Target::Known(value_for_max(self.graph.end(t).unwrap(), self.players[t.get()])),
            Some(t) => Target::State(t.get() as u32) }).collect())
    }
    fn estimate(&self, s: &u32, winner: Player) -> u32 {
        match self.mode { 0 => 1,
          1 => { if self.players[*s as usize] == winner { 1 } else { self.mob[*s as usize].max(1) } }
          2 => { let m = self.mob[*s as usize]; if self.players[*s as usize] == winner { 8 } else { 2*m+1 } }
          _ => { let m = self.mob[*s as usize]; if self.players[*s as usize] == winner { 10 } else { m*m } }
        }
    }
}
fn main() {
    let name = std::env::args().nth(1).unwrap(); let mode: u32 = std::env::args().nth(2).unwrap().parse().unwrap(); let n: usize = std::env::args().nth(3).unwrap().parse().unwrap();
    let material: Material = name.parse().unwrap();
    let mut library = Library::new();
    for c in ["KQK","KRK"] { let c: Material = c.parse().unwrap(); Endgame::solve(&c, &mut library, &Silent).unwrap(); }
    if !library.contains(&material) { Endgame::solve(&material, &mut library, &Silent).unwrap(); }
    let g = MoveGraph::of(&material, &library, &Silent).unwrap().unwrap();
    let players: Vec<Player> = g.graph.states().map(|s| if g.label(s).turn() == shakmaty::Color::White { Player::Max } else { Player::Min }).collect();
    let t = std::time::Instant::now();
    let b = Bounds::of(&g.graph, &players, &Silent).unwrap();
    println!("bounds {:?} rounds {}", t.elapsed(), b.rounds);
    let vertices = g.states + g.en_passant_states;
    let mob: Vec<u32> = g.graph.states().map(|s| g.graph.degree(s) as u32).collect();
    let mut game = G { graph: &g.graph, players: &players, vertices, mode, mob };
    let mut shares = vec![]; let mut sizes = vec![];
    let t = std::time::Instant::now();
    for k in 0..n { let root = ((k as u64 * 2654435761 + 12345) % vertices as u64) as u32;
        let p = prove(&mut game, &root, Budget { states: 1<<24 }, &Silent).unwrap();
        let truth = b.interval(StateIndex::new(root as usize), b.rounds);
        if !p.interval.is_point() || p.interval != truth { println!("root {root} {} truth {}", p.interval, truth); }
        if n <= 20 { println!("root {root} {} expanded {} proof {} rank {:?} moves {} examined {} lookups {}", p.interval, p.expanded, p.states.len(), p.states[0].rank, p.moves, p.examined, p.lookups); }
        shares.push(p.expanded); sizes.push(p.states.len());
    }
    shares.sort(); sizes.sort();
    println!("{name} mode {mode}: {:?} median expanded {} ({:.3}) quartiles {} {} proof median {}", t.elapsed(), shares[n/2], shares[n/2] as f64 / vertices as f64, shares[n/4], shares[3*n/4], sizes[n/2]);
}
