"""An independent matcher of patterns: networkx over the files that a graph is exported to."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import networkx as nx

Question = Mapping[str, Any]


def read_export(content: bytes) -> nx.MultiDiGraph[str]:
    """Nodes by identifier with their type; edges keyed by relation, symmetric ones both ways."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        tables = {
            name: list(
                csv.DictReader(io.StringIO(archive.read(f"{name}.csv").decode(), newline=""))
            )
            for name in ("entities", "relations", "edges")
        }
    symmetric = {one["name"] for one in tables["relations"] if one["symmetric"] == "yes"}
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for one in tables["entities"]:
        graph.add_node(one["id"], type=one["type"])
    for one in tables["edges"]:
        source, relation, target = one["source"], one["relation"], one["target"]
        graph.add_edge(source, target, key=relation)
        if relation in symmetric:
            graph.add_edge(target, source, key=relation)
    return graph


def match(graph: nx.MultiDiGraph[str], question: Question) -> set[str]:
    """Every value of a target node in an assignment of all nodes under which all edges exist."""
    query = question["graph_query"]
    nodes = {one["nid"]: one for one in query["nodes"]}
    order = sorted(nodes, key=lambda nid: nodes[nid]["node_type"] != "entity")
    targets = [nid for nid in nodes if nodes[nid]["question_node"]]
    return {
        chosen[nid]
        for chosen in assignments(graph, query["edges"], nodes, order, {})
        for nid in targets
    }


def assignments(
    graph: nx.MultiDiGraph[str],
    edges: list[dict[str, Any]],
    nodes: Mapping[int, Mapping[str, Any]],
    left: list[int],
    chosen: dict[int, str],
) -> Iterator[dict[int, str]]:
    """Backtracking; the next node is one that touches those chosen, if there is any."""
    if not left:
        yield chosen
        return
    near = {end for one in edges for end in (one["start"], one["end"]) if is_near(one, chosen)}
    nid = next((one for one in left if one in near), left[0])
    rest = [one for one in left if one != nid]
    for value in candidates(graph, edges, nodes[nid], chosen):
        with_it = {**chosen, nid: value}
        if all(is_there(graph, one, with_it) for one in edges):
            yield from assignments(graph, edges, nodes, rest, with_it)


def is_near(edge: Mapping[str, Any], chosen: Mapping[int, str]) -> bool:
    return edge["start"] in chosen or edge["end"] in chosen


def candidates(
    graph: nx.MultiDiGraph[str],
    edges: list[dict[str, Any]],
    node: Mapping[str, Any],
    chosen: Mapping[int, str],
) -> set[str]:
    if node["node_type"] == "entity":
        return {node["id"]} & set(graph)
    nid = node["nid"]
    for one in edges:
        if one["start"] == nid and one["end"] in chosen:
            near = set(graph.predecessors(chosen[one["end"]]))
        elif one["end"] == nid and one["start"] in chosen:
            near = set(graph.successors(chosen[one["start"]]))
        else:
            continue
        return {value for value in near if graph.nodes[value]["type"] == node["class"]}
    return {value for value, type_ in graph.nodes(data="type") if type_ == node["class"]}


def is_there(
    graph: nx.MultiDiGraph[str], edge: Mapping[str, Any], chosen: Mapping[int, str]
) -> bool:
    """True as well while an end is not chosen."""
    ends = [chosen.get(edge[end]) for end in ("start", "end")]
    if None in ends:
        return True
    return bool(graph.has_edge(ends[0], ends[1], key=edge["friendly_name"]))
