"""The same graph elsewhere: PostgreSQL, Redis and networkx, each as well as it can be asked.

A page is the first hundred outgoing entries of an entity as (relation, neighbour, edge), in any
order that the peer is quick in; `count` says how many entries of each relation it has on each side.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from heapq import nlargest
from itertools import islice

import networkx as nx
import psycopg
import redis

from backend.graphs.scored_neighbours import find_best_neighbours
from backend.graphs.snapshots.records import EdgeRecord
from backend.graphs.snapshots.snapshot import Snapshot

PAGE = 100
STRONGEST = 10
BATCH = 10_000
Edge = tuple[int, int, int, float | None]  # source, relation, target, score


class Peer(ABC):
    """Holds all edges of a snapshot, under its entity numbers."""

    name: str

    @abstractmethod
    def page(self, number: int) -> int:
        """Read one page; return its number of entries."""

    @abstractmethod
    def counts(self, number: int) -> int:
        """Read the counts per relation and side; their sum."""

    @abstractmethod
    def nbytes(self) -> int:
        """What it takes to hold the graph."""


def edges_of(snapshot: Snapshot) -> Iterator[tuple[int, list[Edge]]]:
    """The first number of some edges, and those edges."""
    scores = snapshot.arrays["edge.score"]
    forward = snapshot.forward
    source = 0
    for first in range(0, snapshot.edge_count, BATCH):
        part = slice(first, first + BATCH)
        result: list[Edge] = []
        columns = (forward.relations[part], forward.neighbours[part], scores[part])
        for relation, target, score in zip(*(one.tolist() for one in columns), strict=True):
            while forward.offsets[source + 1] <= first + len(result):
                source += 1
            result.append((source, relation, target, score))
        yield first, result


class Ours(Peer):
    name = "snapshot"

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    def page(self, number: int) -> int:
        return self.read(number)

    def deep_page(self, last: EdgeRecord) -> int:
        """The page of a relation behind an edge that was seen last."""
        return self.read(last.source, last.relation, last.edge)

    def strongest(self, number: int) -> int:
        """Of both sides, which is more than the peers read."""
        relations = range(len(self.snapshot.relations))
        return len(find_best_neighbours(self.snapshot, number, relations, most=STRONGEST))

    def read(self, number: int, relation: int | None = None, after: int | None = None) -> int:
        page = self.snapshot.neighbours(number, relation, after=after, limit=PAGE)
        columns = (page.relations.tolist(), page.neighbours.tolist(), page.edges.tolist())
        return len(columns[0])

    def counts(self, number: int) -> int:
        return sum(one.count for one in self.snapshot.degrees(number))

    def nbytes(self) -> int:
        """Both directions and the columns, without texts and how to find an id."""
        files = self.snapshot.manifest.files
        sides = ("forward.", "reverse.", "edge.", "hubs.")
        return sum(file.nbytes for name, file in files.items() if name.startswith(sides))


class Postgres(Peer):
    """Half-edges, one covering index, and the counts of hubs in a table of their own.

    An incoming half has its relation behind all outgoing ones.
    """

    name = "PostgreSQL"
    PAGE_OF = (
        "select rel, dst, eid from half where src = %s and rel < %s "
        "order by rel, score desc, eid limit %s"
    )
    DEEP = (
        "select rel, dst, eid, score from half where src = %s and rel = %s and score <= %s "
        "and (score < %s or eid > %s) order by score desc, eid limit %s"
    )

    def __init__(self, url: str, snapshot: Snapshot) -> None:
        self.relations = len(snapshot.relations)
        self.connection = psycopg.connect(url, autocommit=True)
        self.connection.execute("drop table if exists half, hub_counts")
        self.connection.execute(
            "create table half (src int4, rel int2, dst int4, score float4, eid int4)"
        )
        self.load(snapshot)
        for statement in (
            "create index half_page on half (src, rel, score desc, eid) include (dst)",
            "vacuum analyze half",
            "create table hub_counts as select src, rel, count(*)::int as entries from half "
            "where src in (select src from half group by src having count(*) > 1000) "
            "group by src, rel",
            "create index hub_counts_src on hub_counts (src) include (rel, entries)",
            "vacuum analyze hub_counts",
        ):
            self.connection.execute(statement)

    def load(self, snapshot: Snapshot) -> None:
        sql = "copy half from stdin (format binary)"
        with self.connection.cursor().copy(sql) as copy:
            copy.set_types(["int4", "int2", "int4", "float4", "int4"])
            for first, edges in edges_of(snapshot):
                for eid, (source, relation, target, score) in enumerate(edges, start=first):
                    copy.write_row((source, relation, target, score, eid))
                    copy.write_row((target, relation + self.relations, source, score, eid))

    def page(self, number: int) -> int:
        result = self.connection.execute(self.PAGE_OF, (number, self.relations, PAGE), prepare=True)
        return len(result.fetchall())

    def deep_page(self, last: EdgeRecord) -> int:
        """By keyset, in its own order: by falling score."""
        values = (last.source, last.relation, last.score, last.score, last.edge, PAGE)
        return len(self.connection.execute(self.DEEP, values, prepare=True).fetchall())

    def counts(self, number: int) -> int:
        sql = "select rel, entries from hub_counts where src = %s"
        result = self.connection.execute(sql, (number,), prepare=True).fetchall()
        if not result:
            sql = "select rel, count(*) from half where src = %s group by rel"
            result = self.connection.execute(sql, (number,), prepare=True).fetchall()
        return sum(entries for _, entries in result)

    def nbytes(self) -> int:
        sql = "select sum(pg_total_relation_size(t)) from unnest(%s::text[]) t"
        result = self.connection.execute(sql, (["half", "hub_counts"],)).fetchone()
        return int(result[0]) if result else 0


class Redis(Peer):
    """A key for each edge, as SerenQA's appendix D.2 names them: rel:source:type:relation:….

    Such keys answer only 'is there this edge?'; each entity has a sorted set of its own beside
    them, so that its neighbours can be listed at all.
    """

    name = "Redis"

    def __init__(self, url: str, snapshot: Snapshot) -> None:
        self.client = redis.Redis.from_url(url, decode_responses=True)
        self.client.flushdb()
        before = int(self.client.info("memory")["used_memory"])
        self.types = [snapshot.types[code] for code in snapshot.type_of.tolist()]
        for first, edges in edges_of(snapshot):
            pipe = self.client.pipeline(transaction=False)
            for eid, (source, relation, target, score) in enumerate(edges, start=first):
                tail = f"{relation}:{target}:{self.types[target]}"
                pipe.set(f"rel:{source}:{self.types[source]}:{tail}", f"{eid}:{score}")
                pipe.zadd(f"out:{source}", {tail: 0})
                pipe.hincrby(f"counts:{source}", f"out:{relation}")
                pipe.hincrby(f"counts:{target}", f"in:{relation}")
            pipe.execute()
        self.bytes = int(self.client.info("memory")["used_memory"]) - before

    def page(self, number: int) -> int:
        tails = self.client.zrangebylex(f"out:{number}", "-", "+", 0, PAGE)
        before = f"rel:{number}:{self.types[number]}:"
        keys = [before + str(tail) for tail in tails]
        return len(self.client.mget(keys)) if keys else 0

    def strongest(self, number: int) -> int:
        """By the stored score: every key of the entity has to be read for it."""
        tails = self.client.zrangebylex(f"out:{number}", "-", "+")
        before = f"rel:{number}:{self.types[number]}:"
        stored = self.client.mget([before + str(tail) for tail in tails]) if tails else []
        scores = (float(str(one).partition(":")[2]) for one in stored)
        return len(nlargest(STRONGEST, scores))

    def counts(self, number: int) -> int:
        return sum(map(int, self.client.hvals(f"counts:{number}")))

    def nbytes(self) -> int:
        return self.bytes


class Networkx(Peer):
    name = "networkx"

    def __init__(self, snapshot: Snapshot) -> None:
        self.graph = nx.MultiDiGraph()
        self.graph.add_nodes_from(range(snapshot.entity_count))
        for first, edges in edges_of(snapshot):
            self.graph.add_edges_from(
                (source, target, eid, {"relation": relation, "score": score})
                for eid, (source, relation, target, score) in enumerate(edges, start=first)
            )

    def page(self, number: int) -> int:
        entries = (
            (reported["relation"], target, edge)
            for target, parallel in self.graph.succ[number].items()
            for edge, reported in parallel.items()
        )
        return len(list(islice(entries, PAGE)))

    def counts(self, number: int) -> int:
        result: Counter[tuple[bool, int]] = Counter()
        for outgoing, side in ((True, self.graph.succ), (False, self.graph.pred)):
            for parallel in side[number].values():
                result.update((outgoing, reported["relation"]) for reported in parallel.values())
        return sum(result.values())

    def nbytes(self) -> int:
        """Unknown from inside: its objects are spread over the heap of Python."""
        return 0
