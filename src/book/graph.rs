//! A growing book.
//!
//! The position to expand next is chosen by drop-out expansion (T. R. Lincke, *Strategies for the
//! Automatic Construction of Opening Books*, 2000): the one that is cheapest to reach. Each ply on
//! the way has a cost, and each move costs what it loses against the best move, for either side. So
//! good lines become long, and bad ones just long enough to show that they are bad.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Place;
use std::mem;

use crate::board::Move;
use crate::erased::Position;
use crate::position::Key;
use crate::rules::Variant;
use crate::score::Score;

use super::{Book, BookProblem, Entry};

/// The cost of a ply, in hundredths of a man: a line may lose this much for each ply by which it is
/// shorter.
const PLY: u32 = 1;
/// The lead, in hundredths of a man, beyond which a position is decided and not expanded.
const DECIDED: i16 = 150;
/// The cost where there is nothing to expand.
const NEVER: u32 = u32::MAX;

/// A book that grows from the start position. Lines that transpose share a node; only men move, and
/// a position from which men could step sideways back to an earlier one is not expanded, so there
/// are no cycles.
#[derive(Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    places: HashMap<Key, usize>,
    expanded: usize,
    /// The number of positions taken and not yet expanded.
    taken: usize,
}

/// A position of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(usize);

/// The result of the search of a position.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The position.
    pub position: Position,
    /// The score for the side to move.
    pub score: Score,
    /// The depth in plies.
    pub depth: u32,
    /// The best move; `None` if the game is over.
    pub best: Option<Move>,
}

#[derive(Debug)]
struct Node {
    position: Position,
    /// The score for the side to move: that of the best move if it is expanded, otherwise that of a
    /// search.
    score: Score,
    depth: u8,
    best: Option<u8>,
    /// The nodes its moves lead to, in the order of [`Position::sorted_moves`]; empty if it is not
    /// expanded.
    next: Vec<usize>,
    /// The nodes with a move to it.
    before: Vec<usize>,
    /// The cost of the way from here to the position to expand next.
    cost: u32,
    is_taken: bool,
    /// Whether expanding it would close a cycle.
    is_circular: bool,
}

/// The node of the start position.
const ROOT: usize = 0;

impl Graph {
    /// The start position of a game, with nothing known about it.
    pub fn new(variant: Variant) -> Self {
        let position = Position::start(variant);
        let node = Node {
            position,
            score: Score::DRAW,
            depth: 1,
            best: Some(0),
            next: Vec::new(),
            before: Vec::new(),
            cost: 0,
            is_taken: false,
            is_circular: false,
        };
        let places = HashMap::from([(position.key(), ROOT)]);
        Graph { nodes: vec![node], places, expanded: 0, taken: 0 }
    }

    /// The graph of a book, to grow it further. Positions that cannot be reached from the start
    /// position are left out.
    ///
    /// # Errors
    ///
    /// The book lacks the position after a move of an expanded one.
    pub fn of_book(book: &Book) -> Result<Self, BookProblem> {
        let mut graph = Graph::new(book.variant());
        graph.add(book)?;
        Ok(graph)
    }

    /// Adds what a book knows. Of two searches of a position the deeper one counts.
    ///
    /// # Errors
    ///
    /// The book lacks the position after a move of an expanded one.
    pub fn add(&mut self, book: &Book) -> Result<(), BookProblem> {
        let mut waiting = vec![ROOT];
        let mut seen = vec![false; self.nodes.len()];
        while let Some(node) = waiting.pop() {
            let position = self.nodes[node].position;
            let moves = book.moves(&position);
            if moves.is_empty() || seen[node] {
                continue;
            }
            seen[node] = true;
            if moves.len() != position.legal_moves().len() {
                return Err(BookProblem::Incomplete);
            }
            let found = moves.iter().map(|mv| {
                let sorted = mv.next.sorted_moves();
                let best = mv.entry.best.and_then(|best| sorted.get(usize::from(best)).copied());
                let Entry { score, depth, .. } = mv.entry;
                Found { position: mv.next, score, depth: depth.into(), best }
            });
            for found in found {
                waiting.push(self.learn(&found));
            }
            seen.resize(self.nodes.len(), false);
            self.link(node);
        }
        self.settle();
        Ok(())
    }

    /// The game.
    pub fn variant(&self) -> Variant {
        self.nodes[ROOT].position.variant()
    }

    /// The number of expanded positions.
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    /// The number of positions taken and not yet expanded.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// The number of positions, those at the ends of the book included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no position is expanded.
    pub fn is_empty(&self) -> bool {
        self.expanded == 0
    }

    /// The score of the start position, for the side to move.
    pub fn score(&self) -> Score {
        self.nodes[ROOT].score
    }

    /// The best line from the start position.
    pub fn line(&self) -> Vec<Move> {
        let (mut line, mut node) = (Vec::new(), &self.nodes[ROOT]);
        while let Some(best) = node.best.map(usize::from)
            && let Some(&next) = node.next.get(best)
        {
            line.extend(node.position.sorted_moves().get(best));
            node = &self.nodes[next];
        }
        line
    }

    /// The position of a node.
    pub fn position(&self, NodeId(node): NodeId) -> &Position {
        &self.nodes[node].position
    }

    /// Takes the position to expand next, so that it is not taken again; `None` if there is none.
    pub fn take(&mut self) -> Option<NodeId> {
        let mut node = ROOT;
        if self.nodes[node].cost == NEVER {
            return None;
        }
        while let Some((_, next)) = self.cheapest(node) {
            node = next;
        }
        self.set_taken(node, true);
        Some(NodeId(node))
    }

    /// Takes a position that is not expanded, at any cost; `None` if it is not at an end of the
    /// book, if it has a king or the game is over there, or if it is taken already.
    pub fn take_position(&mut self, position: &Position) -> Option<NodeId> {
        let &id = self.places.get(&position.key())?;
        let node = &self.nodes[id];
        if !node.next.is_empty() || node.is_taken || !node.may_grow() {
            return None;
        }
        self.set_taken(id, true);
        Some(NodeId(id))
    }

    /// Gives back a taken position, unexpanded.
    pub fn give_back(&mut self, NodeId(node): NodeId) {
        self.set_taken(node, false);
    }

    /// The unknown positions after the moves of a taken position.
    pub fn unknown(&self, id: NodeId) -> Vec<Position> {
        let position = self.position(id);
        let next = position.sorted_moves().into_iter().map(|mv| position.after(mv));
        next.filter(|next| !self.places.contains_key(&next.key())).collect()
    }

    /// Expands a taken position, with the search results of its [`Graph::unknown`] positions.
    pub fn expand(&mut self, NodeId(node): NodeId, found: &[Found]) {
        for found in found {
            self.learn(found);
        }
        self.link(node);
        self.set_taken(node, false);
    }

    /// The entries for a file, sorted by key.
    pub fn entries(&self) -> Vec<Entry> {
        let entry = |node: &Node| Entry {
            key: node.position.key(),
            score: node.score,
            depth: if node.next.is_empty() { node.depth } else { 0 },
            best: node.best,
        };
        let mut entries: Vec<_> = self.nodes.iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.key);
        entries
    }

    /// Adds a search result, unless its position is expanded or has a result of at least the same
    /// depth. Returns the node.
    fn learn(&mut self, found: &Found) -> usize {
        let new = self.nodes.len();
        let place = match self.places.entry(found.position.key()) {
            Place::Occupied(place) => *place.get(),
            Place::Vacant(place) => *place.insert(new),
        };
        if place == new {
            self.nodes.push(Node::new(found));
        } else if self.nodes[place].next.is_empty() && self.nodes[place].depth < depth(found) {
            let before = std::mem::take(&mut self.nodes[place].before);
            self.nodes[place] = Node { before, ..Node::new(found) };
            self.update(place);
        }
        place
    }

    /// Links a position to those after its moves. It stays an end if one of them is missing or
    /// leads back to it, or if it has no moves.
    fn link(&mut self, node: usize) {
        if !self.nodes[node].next.is_empty() {
            return;
        }
        let position = self.nodes[node].position;
        let next = position.sorted_moves().into_iter().map(|mv| position.after(mv).key());
        let known: Option<Vec<_>> = next.map(|key| self.places.get(&key).copied()).collect();
        let next = known.unwrap_or_default();
        if self.leads_back(node, &next) {
            self.nodes[node].is_circular = true;
            return;
        }
        self.expanded += usize::from(!next.is_empty());
        for &to in &next {
            self.nodes[to].before.push(node);
        }
        self.nodes[node].next = next;
    }

    /// Whether a position can be reached from one of `next`. Only men that step sideways can go
    /// round.
    fn leads_back(&self, node: usize, next: &[usize]) -> bool {
        if !self.variant().move_rules().directions.has_side_steps() {
            return false;
        }
        let (mut seen, mut waiting) = (vec![false; self.nodes.len()], vec![node]);
        while let Some(node) = waiting.pop() {
            if next.contains(&node) {
                return true;
            }
            if !mem::replace(&mut seen[node], true) {
                waiting.extend(&self.nodes[node].before);
            }
        }
        false
    }

    fn set_taken(&mut self, node: usize, is_taken: bool) {
        if is_taken {
            self.taken += 1;
        } else {
            self.taken -= usize::from(self.nodes[node].is_taken);
        }
        self.nodes[node].is_taken = is_taken;
        self.update(node);
    }

    /// Propagates scores and costs up from all positions.
    fn settle(&mut self) {
        for node in (0..self.nodes.len()).rev() {
            self.update(node);
        }
    }

    /// Propagates the score and the cost of a position up, as far as they change anything.
    fn update(&mut self, node: usize) {
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            if self.refresh(node) {
                waiting.extend(&self.nodes[node].before);
            }
        }
    }

    /// Computes the score and the cost of a position again; whether either has changed.
    fn refresh(&mut self, id: usize) -> bool {
        let (mut score, mut best) = (self.nodes[id].score, self.nodes[id].best);
        for (number, &next) in self.nodes[id].next.iter().enumerate() {
            let through = -self.nodes[next].score;
            if number == 0 || through > score {
                (score, best) = (through, u8::try_from(number).ok());
            }
        }
        let node = &mut self.nodes[id];
        let is_other = node.score != score;
        (node.score, node.best) = (score, best);
        let cost = match self.cheapest(id) {
            Some((cost, _)) => cost,
            None if self.nodes[id].is_open() => 0,
            None => NEVER,
        };
        let node = &mut self.nodes[id];
        std::mem::replace(&mut node.cost, cost) != cost || is_other
    }

    /// The cost of the way to the position to expand next, and the first node on it; `None` at an
    /// end of the book, and if there is nothing to expand below.
    fn cheapest(&self, id: usize) -> Option<(u32, usize)> {
        let node = &self.nodes[id];
        // A ply without a choice of moves costs nothing.
        let ply = if node.next.len() > 1 { PLY } else { 0 };
        let way = |&next: &usize| {
            let Node { score, cost, .. } = &self.nodes[next];
            let drop = (i32::from(node.score.0) + i32::from(score.0)).max(0) as u32;
            (cost.saturating_add(ply + drop), next)
        };
        let open = node.next.iter().filter(|&&next| self.nodes[next].cost != NEVER);
        open.map(way).min_by_key(|&(cost, _)| cost)
    }
}

impl Node {
    fn new(found: &Found) -> Self {
        let moves = found.position.sorted_moves();
        let best = found.best.and_then(|best| moves.iter().position(|&mv| mv == best));
        let mut node = Node {
            position: found.position,
            score: found.score,
            depth: depth(found),
            best: best.and_then(|best| u8::try_from(best).ok()),
            next: Vec::new(),
            before: Vec::new(),
            cost: NEVER,
            is_taken: false,
            is_circular: false,
        };
        if node.is_open() {
            node.cost = 0;
        }
        node
    }

    /// Whether it is an end of the book that is to be expanded at some time.
    fn is_open(&self) -> bool {
        self.may_grow() && !self.is_taken && self.score.0.abs() <= DECIDED
    }

    /// Whether it may be expanded: an end of the book with men only, where the game is not over.
    fn may_grow(&self) -> bool {
        !self.is_circular
            && self.next.is_empty()
            && self.best.is_some()
            && self.position.all_kings().is_empty()
    }
}

/// The depth as stored in an entry.
fn depth(found: &Found) -> u8 {
    found.depth.clamp(1, u8::MAX.into()) as u8
}
