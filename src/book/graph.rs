//! A book under construction, as a graph of positions.
//!
//! The position to expand next is chosen by drop-out expansion (T. R. Lincke, *Strategies for the
//! Automatic Construction of Opening Books*, 2000): it is the one with the cheapest path from the
//! start. Each ply of a path has a fixed cost, and each move, whichever side plays it, additionally
//! costs the amount by which its score falls short of the best move. Good lines therefore become
//! long, and bad lines only long enough to be refuted.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Place;

use bitvec::bitvec;

use crate::board::Move;
use crate::erased::Position;
use crate::position::Key;
use crate::rules::Variant;
use crate::score::Score;

use super::{Book, BookProblem, Entry};

/// The cost of a ply, in hundredths of a man. At the same total cost, a line that is one ply
/// shorter may lose this much more score.
const PLY_COST: u32 = 1;
/// Maximum absolute score of a position to expand, in hundredths of a man. Positions beyond it
/// count as decided.
const MAX_SCORE: i16 = 150;
/// The cost of a subtree with nothing to expand.
const UNREACHABLE: u32 = u32::MAX;

/// A book that grows from the start position. Transpositions share a node. There are no cycles,
/// because positions with kings are not expanded, nor are positions from which men could step
/// sideways back to an earlier position.
#[derive(Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    places: HashMap<Key, usize>,
    expanded: usize,
    /// The number of reserved positions.
    reserved: usize,
}

/// The identifier of a position in a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(usize);

/// The search result for a position.
#[derive(Clone, Copy, Debug)]
pub struct SearchedPosition {
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
    /// The score for the side to move: the score of the best move if the position is expanded,
    /// otherwise the score found by searching the position.
    score: Score,
    depth: u8,
    best: Option<u8>,
    /// The successors, in the order of [`Position::sorted_moves`]; empty if the position is not
    /// expanded.
    next: Vec<usize>,
    /// The predecessors.
    before: Vec<usize>,
    /// The cost of the path from this node to the next position that would be expanded below it.
    cost: u32,
    is_reserved: bool,
    /// Whether expanding the position would close a cycle.
    closes_cycle: bool,
}

/// The node of the start position.
const ROOT: usize = 0;

impl Graph {
    /// A graph that contains only the start position.
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
            is_reserved: false,
            closes_cycle: false,
        };
        let places = HashMap::from([(position.key(), ROOT)]);
        Graph { nodes: vec![node], places, expanded: 0, reserved: 0 }
    }

    /// Loads a book to grow it further. Positions that cannot be reached from the start position
    /// are left out.
    ///
    /// # Errors
    ///
    /// The book lacks a position that follows an expanded position.
    pub fn from_book(book: &Book) -> Result<Self, BookProblem> {
        let mut graph = Graph::new(book.variant());
        graph.add(book)?;
        Ok(graph)
    }

    /// Adds the positions of a book. If a position has been searched twice, the result of the
    /// deeper search is kept.
    ///
    /// # Errors
    ///
    /// The book lacks a position that follows an expanded position.
    pub fn add(&mut self, book: &Book) -> Result<(), BookProblem> {
        let mut waiting = vec![ROOT];
        let mut seen = bitvec![0; self.nodes.len()];
        while let Some(node) = waiting.pop() {
            let position = self.nodes[node].position;
            let moves = book.moves(&position);
            if moves.is_empty() || seen[node] {
                continue;
            }
            seen.set(node, true);
            if moves.len() != position.legal_moves().len() {
                return Err(BookProblem::Incomplete);
            }
            let found = moves.iter().map(|mv| {
                let sorted = mv.next.sorted_moves();
                let best = mv.entry.best.and_then(|best| sorted.get(usize::from(best)).copied());
                let Entry { score, depth, .. } = mv.entry;
                SearchedPosition { position: mv.next, score, depth: depth.into(), best }
            });
            for found in found {
                waiting.push(self.add_result(&found));
            }
            seen.resize(self.nodes.len(), false);
            self.link(node);
        }
        self.propagate_all();
        Ok(())
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.nodes[ROOT].position.variant()
    }

    /// The number of expanded positions.
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    /// The number of reserved positions.
    pub fn reserved(&self) -> usize {
        self.reserved
    }

    /// The number of positions, leaves included.
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

    /// Reserves the position to expand next; `None` if there is none.
    pub fn reserve_next(&mut self) -> Option<NodeId> {
        let mut node = ROOT;
        if self.nodes[node].cost == UNREACHABLE {
            return None;
        }
        while let Some((_, next)) = self.cheapest(node) {
            node = next;
        }
        self.set_reserved(node, true);
        Some(NodeId(node))
    }

    /// Reserves a leaf regardless of its cost and score; `None` if the position is not a leaf of
    /// the graph, cannot be expanded, or is already reserved.
    pub fn reserve(&mut self, position: &Position) -> Option<NodeId> {
        let &id = self.places.get(&position.key())?;
        let node = &self.nodes[id];
        if !node.next.is_empty() || node.is_reserved || !node.can_expand() {
            return None;
        }
        self.set_reserved(id, true);
        Some(NodeId(id))
    }

    /// Releases a reserved position without expanding it.
    pub fn release(&mut self, NodeId(node): NodeId) {
        self.set_reserved(node, false);
    }

    /// The successors of a reserved position that are not yet in the graph.
    pub fn unknown(&self, id: NodeId) -> Vec<Position> {
        let position = self.position(id);
        let next = position.sorted_moves().into_iter().map(|mv| position.after(mv));
        next.filter(|next| !self.places.contains_key(&next.key())).collect()
    }

    /// Expands a reserved position, given the search results of its [`Graph::unknown`] successors.
    pub fn expand(&mut self, NodeId(node): NodeId, found: &[SearchedPosition]) {
        for found in found {
            self.add_result(found);
        }
        self.link(node);
        self.set_reserved(node, false);
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
    fn add_result(&mut self, found: &SearchedPosition) -> usize {
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
            self.propagate(place);
        }
        place
    }

    /// Links a position to its successors. The position stays a leaf if it has no moves, or if a
    /// successor is missing or leads back to it.
    fn link(&mut self, node: usize) {
        if !self.nodes[node].next.is_empty() {
            return;
        }
        let position = self.nodes[node].position;
        let next = position.sorted_moves().into_iter().map(|mv| position.after(mv).key());
        let known: Option<Vec<_>> = next.map(|key| self.places.get(&key).copied()).collect();
        let next = known.unwrap_or_default();
        if self.would_close_cycle(node, &next) {
            self.nodes[node].closes_cycle = true;
            return;
        }
        self.expanded += usize::from(!next.is_empty());
        for &to in &next {
            self.nodes[to].before.push(node);
        }
        self.nodes[node].next = next;
    }

    /// Whether a position can be reached again from one of its successors `next`, which requires
    /// sideways steps of men.
    fn would_close_cycle(&self, node: usize, next: &[usize]) -> bool {
        if !self.variant().move_rules().directions.has_side_steps() {
            return false;
        }
        let (mut seen, mut waiting) = (bitvec![0; self.nodes.len()], vec![node]);
        while let Some(node) = waiting.pop() {
            if next.contains(&node) {
                return true;
            }
            if !seen.replace(node, true) {
                waiting.extend(&self.nodes[node].before);
            }
        }
        false
    }

    fn set_reserved(&mut self, node: usize, is_reserved: bool) {
        if is_reserved {
            self.reserved += 1;
        } else {
            self.reserved -= usize::from(self.nodes[node].is_reserved);
        }
        self.nodes[node].is_reserved = is_reserved;
        self.propagate(node);
    }

    /// Propagates the scores and costs of all positions to their predecessors.
    fn propagate_all(&mut self) {
        for node in (0..self.nodes.len()).rev() {
            self.propagate(node);
        }
    }

    /// Propagates the score and the cost of a position to its predecessors, and further back as
    /// long as they change.
    fn propagate(&mut self, node: usize) {
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            if self.recompute(node) {
                waiting.extend(&self.nodes[node].before);
            }
        }
    }

    /// Recomputes the score and the cost of a position; returns whether either has changed.
    fn recompute(&mut self, id: usize) -> bool {
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
            None => UNREACHABLE,
        };
        let node = &mut self.nodes[id];
        std::mem::replace(&mut node.cost, cost) != cost || is_other
    }

    /// The cost of the path to the next position that would be expanded below a node, and the first
    /// node on that path; `None` for a leaf, or if there is nothing to expand.
    fn cheapest(&self, id: usize) -> Option<(u32, usize)> {
        let node = &self.nodes[id];
        // A forced move costs nothing.
        let ply = if node.next.len() > 1 { PLY_COST } else { 0 };
        let path = |&next: &usize| {
            let Node { score, cost, .. } = &self.nodes[next];
            let drop = (i32::from(node.score.0) + i32::from(score.0)).max(0) as u32;
            (cost.saturating_add(ply + drop), next)
        };
        let open = node.next.iter().filter(|&&next| self.nodes[next].cost != UNREACHABLE);
        open.map(path).min_by_key(|&(cost, _)| cost)
    }
}

impl Node {
    fn new(found: &SearchedPosition) -> Self {
        let moves = found.position.sorted_moves();
        let best = found.best.and_then(|best| moves.iter().position(|&mv| mv == best));
        let mut node = Node {
            position: found.position,
            score: found.score,
            depth: depth(found),
            best: best.and_then(|best| u8::try_from(best).ok()),
            next: Vec::new(),
            before: Vec::new(),
            cost: UNREACHABLE,
            is_reserved: false,
            closes_cycle: false,
        };
        if node.is_open() {
            node.cost = 0;
        }
        node
    }

    /// Whether the position is a candidate for the next expansion.
    fn is_open(&self) -> bool {
        self.can_expand() && !self.is_reserved && self.score.0.abs() <= MAX_SCORE
    }

    /// Whether the position can be expanded: it is a leaf, has no kings, has a legal move, and
    /// would not close a cycle.
    fn can_expand(&self) -> bool {
        !self.closes_cycle
            && self.next.is_empty()
            && self.best.is_some()
            && self.position.all_kings().is_empty()
    }
}

/// The depth as stored in an entry.
fn depth(found: &SearchedPosition) -> u8 {
    found.depth.clamp(1, u8::MAX.into()) as u8
}
