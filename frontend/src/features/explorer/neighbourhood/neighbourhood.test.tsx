import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { typeStyle } from "@/domains/graphs/typeStyles";
import { problemResponse, jsonResponse } from "@/test/visit";
import { makeNeighbour, makeEntity, makeRelation, renderExplorer, serveGraph, SNAPSHOT } from "../testing";
import { keyAction } from "./Canvas";
import { readExpansion, sideKey, toggleEntity, withLimit, withExpansion } from "./expansion";
import { graphCredit, toSvg } from "@/domains/graphs/drawing/imageExport";
import { neighboursClockwise, nextInRing } from "./keyboardNavigation";
import { narrowLabel, NARROW_LINE, nodeLabel, wholeLabel } from "@/domains/graphs/drawing/nodeLabel";
import type { NodePositions, Point } from "@/domains/graphs/drawing/picture";
import { layoutNodes } from "./nodeLayout";
import { buildScene, initialLimit, MAX_NODES, sidesOf, type ExpandedEntity } from "./scene";

const none = readExpansion(new URLSearchParams());

function opened(id: string, counts: number[], first = 0): ExpandedEntity {
  const relations = counts.map((count, at) => makeRelation({ relation: `r${at}`, phrase: `does ${at}`, count }));
  const entity = makeEntity({ id, name: id, relations });
  return {
    entity,
    sides: sidesOf(entity, none, id === "hub").map((side, at) => ({
      ...side,
      page: {
        snapshot: SNAPSHOT,
        count: side.relation.count,
        results: Array.from({ length: Math.min(50, side.relation.count) }, (_, n) => makeNeighbour(first + 1000 * at + n)),
        next: null,
        undated: null,
      },
    })),
  };
}

describe("what is drawn", () => {
  it("adds at most 25 a relation around a hub, and one node for the rest", () => {
    const scene = buildScene("hub", [opened("hub", [202_782])]);
    expect(scene.entities).toBe(1 + 25);
    expect(scene.nodes.at(-1)).toMatchObject({ kind: "more", rest: 202_757, ownerName: "hub" });
    expect(scene.shown).toBe(25);
    expect(scene.all).toBe(202_782);
  });

  it("shows fewer of each where there are many relations", () => {
    expect(initialLimit(1, true)).toBe(25);
    expect(initialLimit(12, true)).toBe(3);
    expect(initialLimit(40, true)).toBe(3);
  });

  it("draws the last one instead of a '+1' in its place", () => {
    const scene = buildScene("hub", [opened("hub", [26])]);
    expect(scene.nodes.filter(({ kind }) => kind === "more")).toEqual([]);
    expect(sidesOf(makeEntity({ relations: [makeRelation({ count: 27 })] }), none, true)[0]?.limit).toBe(25);
    const most = withLimit(none, sideKey("D:1", "treats", true), 200);
    expect(sidesOf(makeEntity({ relations: [makeRelation({ count: 201 })] }), most, true)[0]?.limit).toBe(200);
  });

  it("never holds more than it can, and says when it is full", () => {
    const all = [opened("hub", [9000])];
    for (let at = 0; at < 25; at += 1) all.push(opened(`X:${at}`, [9000], 10_000 * (at + 1)));
    const scene = buildScene("hub", all);
    expect(scene.nodes.length).toBeLessThanOrEqual(MAX_NODES);
    expect(scene.isFull).toBe(true);
  });

  it("leaves out what was opened from something that is not there any more", () => {
    const scene = buildScene("hub", [opened("hub", [2]), opened("X:77", [3], 500)]);
    expect(scene.nodes.map(({ id }) => id)).toEqual(["hub", "X:0", "X:1"]);
  });

  it("draws an edge once, from whichever end it was read", () => {
    const one = makeNeighbour(5, { entity: { id: "b", name: "b", type: "Drug", degree: 1 } });
    const other = makeNeighbour(5, { entity: { id: "a", name: "a", type: "Drug", degree: 1 } });
    const page = (of: typeof one) => ({ snapshot: SNAPSHOT, count: 1, results: [of], next: null, undated: null });
    const scene = buildScene("a", [
      { entity: makeEntity({ id: "a" }), sides: [{ relation: makeRelation({ count: 1 }), limit: 5, page: page(one) }] },
      { entity: makeEntity({ id: "b" }), sides: [{ relation: makeRelation({ count: 1, outgoing: false }), limit: 5, page: page(other) }] },
    ]);
    expect(scene.edges).toMatchObject([{ id: "edge:5", source: "a", target: "b" }]);
  });
});

describe("what is open", () => {
  it("goes through the address and back unchanged", () => {
    const side = sideKey('odd "id" & more', "a.b c", false);
    const opening = withLimit(toggleEntity(none, "D:1"), side, 50);
    const params = withExpansion(new URLSearchParams("focus=x&sel=y"), opening);
    expect(readExpansion(new URLSearchParams(params.toString()))).toEqual(opening);
    expect(params.get("focus")).toBe("x");
  });

  it("forgets what was added to an entity that is collapsed", () => {
    const opening = withLimit(toggleEntity(none, "D:1"), sideKey("D:1", "r", true), 50);
    expect(toggleEntity(opening, "D:1")).toEqual(none);
  });
});

describe("walking by keys", () => {
  const scene = buildScene("hub", [opened("hub", [4])]);
  const places = { hub: { x: 0, y: 0 }, "X:0": { x: 0, y: 10 }, "X:1": { x: 10, y: 0 }, "X:2": { x: 0, y: -10 }, "X:3": { x: -10, y: 0 } };

  it("goes clockwise from the top, and round again", () => {
    const ring = neighboursClockwise(scene, places, "hub");
    expect(ring).toEqual(["X:2", "X:1", "X:0", "X:3"]);
    expect(nextInRing(ring, "hub", 1)).toBe("X:2");
    expect(nextInRing(ring, "X:3", 1)).toBe("X:2");
    expect(nextInRing(ring, "X:2", -1)).toBe("X:3");
    expect(nextInRing([], "hub", 1)).toBeUndefined();
  });
});

describe("keys of the picture", () => {
  const acts = { moveToNeighbour: vi.fn(), enter: vi.fn(), back: vi.fn(), open: vi.fn(), undo: vi.fn(), redo: vi.fn() };
  const pressed = (key: string, modifiers: Partial<Record<"ctrlKey" | "metaKey" | "shiftKey" | "altKey", boolean>> = {}) =>
    keyAction({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...modifiers }, acts);

  it("redoes by Ctrl+Shift+Z, which browsers report as a capital, and undoes with Caps Lock on", () => {
    expect(pressed("Z", { ctrlKey: true, shiftKey: true })).toBe(acts.redo);
    expect(pressed("z", { metaKey: true, shiftKey: true })).toBe(acts.redo);
    expect(pressed("y", { ctrlKey: true })).toBe(acts.redo);
    expect(pressed("z", { ctrlKey: true })).toBe(acts.undo);
    expect(pressed("Z", { ctrlKey: true })).toBe(acts.undo);
  });

  it("leaves the browser its own keys", () => {
    expect(pressed("o", { ctrlKey: true })).toBeUndefined();
    expect(pressed("ArrowLeft", { altKey: true })).toBeUndefined();
    expect(pressed("O")).toBe(acts.open);
  });
});

describe("where things stand", () => {
  const task = {
    nodes: ["a", "b", "c", "d"].map((id) => ({ id, width: 40, height: 40 })),
    edges: [{ source: "a", target: "b" }, { source: "a", target: "c" }, { source: "a", target: "d" }],
  };

  it("is the same for the same graph, and apart", () => {
    const once = layoutNodes(task);
    expect(layoutNodes(task)).toEqual(once);
    expect(new Set(Object.values(once).map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
  });

  it("keeps what has its place", () => {
    const at = { x: 300, y: -40 };
    const places = layoutNodes({ ...task, nodes: task.nodes.map((node) => (node.id === "a" ? { ...node, at } : node)) });
    expect(at).toEqual({ x: 300, y: -40 });
    expect(places.a).toEqual({ x: 300, y: -40 });
    expect(places.b).not.toEqual(at);
  });

  const node = (id: string, at?: Point) => ({ id, width: 40, height: 40, at });
  const inSectors = (counts: number[]) => [
    node("focus"),
    ...counts.flatMap((count, sector) => Array.from({ length: count }, (_, at) => ({ ...node(`${sector}-${at}`), sector: `r${sector}` }))),
  ];
  const angleOf = ({ x, y }: Point) => (Math.atan2(x, -y) + 2 * Math.PI) % (2 * Math.PI);

  it.each([[[1]], [[5, 1, 12]], [[25, 25, 25, 25]]])("places relations of %j neighbours in sectors, no two on one point", (counts) => {
    const nodes = inSectors(counts);
    const edges = nodes.slice(1).map(({ id }) => edge("focus", id));
    const places = layoutNodes({ nodes, edges, focus: "focus" });
    expect(new Set(Object.values(places).map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
    expect(places.focus).toEqual({ x: 0, y: 0 });
    const angles = nodes.slice(1).map(({ id }) => angleOf(places[id] as Point));
    expect(angles).toEqual(angles.toSorted((a, b) => a - b));
  });

  it.each([[[1]], [[2, 4, 1, 5]], [[25, 3]]])("places relations of %j neighbours in two columns on a narrow screen, in their order, each row clear of the next", (counts) => {
    const nodes = inSectors(counts).map((one, at) => ({ ...one, height: 40 + 16 * (at % 3) }));
    const edges = nodes.slice(1).map(({ id }) => edge("focus", id));
    const places = layoutNodes({ nodes, edges, focus: "focus", isNarrow: true });
    const rows = nodes.slice(1).map(({ id, height }) => ({ ...(places[id] as Point), height }));
    expect(places.focus).toEqual({ x: 0, y: 0 });
    const half = Math.ceil(rows.length / 2);
    const columns = [rows.slice(0, half), rows.slice(half).toReversed()];
    expect(columns.flatMap((column) => column.map(({ x }) => Math.sign(x)))).toEqual(rows.map((_, at) => (at < half ? 1 : -1)));
    for (const column of columns) {
      for (const [at, { y }] of column.slice(1).entries()) {
        const above = column[at] as (typeof rows)[number];
        expect(y - above.y).toBeGreaterThanOrEqual(above.height);
      }
    }
  });

  const edge = (source: string, target: string) => ({ source, target });

  it("keeps every position when an entity is expanded", () => {
    const before = layoutNodes(task);
    const expected = structuredClone(before);
    const after = layoutNodes({
      nodes: [...task.nodes.map(({ id }) => node(id, before[id])), node("e"), node("f")],
      edges: [...task.edges, edge("d", "e"), edge("d", "f")],
    });
    expect(after).toMatchObject(expected);
    expect(new Set(Object.values(after).map(({ x, y }) => `${x} ${y}`)).size).toBe(6);
  });

  it.each([[1], [25], [200]])("places %i that are added beside each other and near their entity, over no name", (count) => {
    const first = inSectors([5, 12]);
    const edges = first.slice(1).map(({ id }) => edge("focus", id));
    const before = layoutNodes({ nodes: first, edges, focus: "focus" });
    const added = Array.from({ length: count }, (_, at) => ({ ...node(`new-${at}`), width: 60 + 30 * (at % 4), height: 44 + 14 * (at % 2) }));
    const nodes = [...first.map((one) => ({ ...one, at: before[one.id] })), ...added];
    const places = layoutNodes({ nodes, edges: [...edges, ...added.map(({ id }) => edge(id, "1-3"))], focus: "focus" });
    expect(places).toMatchObject(before);
    const boxes = nodes.map(({ id, width, height }) => ({ ...(places[id] as Point), width, height }));
    for (const [at, box] of boxes.entries()) {
      if (at < first.length) continue;
      for (const other of boxes.slice(0, at)) {
        const isBeside = Math.abs(box.x - other.x) >= (box.width + other.width) / 2;
        expect(isBeside || box.y + box.height <= other.y || other.y + other.height <= box.y).toBe(true);
      }
    }
    const anchor = places["1-3"] as Point;
    const furthest = Math.max(...added.map(({ id }) => Math.hypot((places[id] as Point).x - anchor.x, (places[id] as Point).y - anchor.y)));
    expect(furthest).toBeLessThan(200 + 80 * Math.sqrt(count));
  });

  it("keeps every position when a relation is hidden, and when that is undone", () => {
    const before = layoutNodes(task);
    const expected = structuredClone(before);
    const filtered = layoutNodes({ nodes: ["a", "b"].map((id) => node(id, before[id])), edges: [edge("a", "b")] });
    expect(filtered).toEqual({ a: expected.a, b: expected.b });
    const positions: NodePositions = { ...before, ...filtered };
    expect(layoutNodes({ ...task, nodes: task.nodes.map(({ id }) => node(id, positions[id])) })).toEqual(expected);
  });
});

describe("the label of a node", () => {
  it.each([
    ["Sildenafil", "Sildenafil"],
    ["cytochrome P450 family 3 subfamily A member 4", "cytochrome P450 family\n3 subfamily A member 4"],
    ["phosphodiesterase 5A", "phosphodiesterase\n5A"],
    ["1-methyl-4-phenylpyridinium-ion", "1-methyl-4-\nphenylpyridinium-ion"],
    ["Pneumonoultramicroscopicsilicovolcanoconiosis", "Pneumonoultramicroscopicsilic…"],
  ])("of %s has two lines at most", (name, label) => {
    expect(nodeLabel(name)).toBe(label);
  });

  it.each([
    ["Sildenafil", "Sildenafil"],
    ["cytochrome P450 family 3 subfamily A member 4", "cytochrome P450\nfamily 3 subfamily\nA member 4"],
    ["very long name of a thing that goes on and on and on", "very long name of a\nthing that goes on\nand on and on"],
    ["one two three four five six seven eight nine ten eleven twelve", "one two three four\nfive six seven\neight nine ten…"],
    ["Pneumonoultramicroscopicsilicovolcanoconiosis", "Pneumonoultramicro…"],
  ])("of %s has three short lines at most on a narrow screen", (name, label) => {
    expect(narrowLabel(name)).toBe(label);
    expect(Math.max(...label.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(NARROW_LINE + 1);
  });

  it.each([
    ["Sildenafil", "Sildenafil"],
    ["Pneumonoultramicroscopicsilicovolcanoconiosis", "Pneumonoultramicroscopicsilico\nvolcanoconiosis"],
    [
      "regulation of transcription from RNA polymerase II promoter involved in cell fate commitment of the heart",
      "regulation of transcription\nfrom RNA polymerase II\npromoter involved in cell fate\ncommitment of the heart",
    ],
  ])("of %s is whole while it is selected or pointed at", (name, label) => {
    expect(wholeLabel(name)).toBe(label);
    expect(wholeLabel(name, NARROW_LINE).replaceAll(/\s/g, "")).toBe(name.replaceAll(/\s/g, ""));
  });
});

describe("the picture as a file", () => {
  it("carries version and licence, and any name as text", () => {
    const scene = buildScene("hub", [opened("hub", [1])]);
    const places = { hub: { x: 0, y: 0 }, "X:0": { x: 50, y: 50 } };
    scene.nodes[0] = { ...scene.nodes[0]!, kind: "entity", id: "hub", name: '<script>"&\u0001', type: "Gene", style: typeStyle("Gene"), degree: 1, isOpen: true };
    const inks = new Proxy({}, { get: () => "#000000" }) as Parameters<typeof toSvg>[2];
    const credit = { title: "Near", line: graphCredit({ graph: "Demo", version: "version 2", snapshot: SNAPSHOT, licence: "CC0" }) };
    const text = toSvg(scene, places, inks, credit);
    const read = new DOMParser().parseFromString(text, "image/svg+xml");
    expect(read.querySelector("parsererror")).toBeNull();
    expect(read.querySelector("desc")?.textContent).toBe(`Demo, version 2, snapshot ${SNAPSHOT}. Licence: CC0.`);
    expect([...read.querySelectorAll("text")].map((one) => one.textContent)).toContain('<script>"&\ufffd');
    expect(read.querySelectorAll("line")).toHaveLength(1);
  });
});

describe("the table beside the picture", () => {
  beforeEach(() => void serveGraph());
  const table = (name: string) => screen.findByRole("table", { name });
  const rows = async (name: string) => within(await table(name)).getAllByRole("row").slice(1);

  it("has a row with a button for every entity and every edge", async () => {
    renderExplorer("/explore/demo/canvas?focus=D:1&show=table");
    expect((await rows("Entities shown")).map((row) => within(row).getAllByRole("button")[0]?.textContent)).toEqual(["Aspirin", "Disease 1", "Disease 2"]);
    expect((await rows("Edges shown")).map((row) => within(row).getAllByRole("button")[0]?.textContent)).toEqual(["Aspirin treats Disease 1", "Aspirin treats Disease 2"]);
    expect(screen.getByText("2 of 2 edges shown")).toBeInTheDocument();
  });

  it("selects, and the address follows", async () => {
    renderExplorer("/explore/demo/canvas?focus=D:1&show=table");
    await userEvent.click(within(await table("Entities shown")).getByRole("button", { name: "Disease 2" }));
    expect(screen.getByRole("button", { name: "Disease 2" })).toHaveAttribute("aria-pressed", "true");
    await waitFor(() => expect(window.location.search).toBe("?focus=D%3A1&show=table&sel=X%3A2"));
    window.history.replaceState(null, "", "/");
  });

  it("expands, and undo leads back to exactly the same address", async () => {
    const router = renderExplorer("/explore/demo/canvas?focus=D:1&show=table");
    await userEvent.click(await screen.findByRole("button", { name: "Expand Disease 1" }));
    expect(await screen.findByRole("button", { name: "Collapse Disease 1" })).toBeInTheDocument();
    const open = router.state.location.search;
    expect(new URLSearchParams(open).getAll("open")).toEqual(["X:1"]);
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(router.state.location.search).toBe("?focus=D%3A1&show=table"));
    expect(screen.getByRole("button", { name: "Undo" })).toHaveFocus();
    expect(screen.getByRole("button", { name: "Undo" })).toHaveAttribute("aria-disabled", "true");
    await userEvent.click(screen.getByRole("button", { name: "Redo" }));
    await waitFor(() => expect(router.state.location.search).toBe(open));
  });

  it("leaves out a relation that is switched off in the legend, until that is undone", async () => {
    renderExplorer("/explore/demo/canvas?focus=D:1&show=table");
    const legend = await screen.findByRole("group", { name: "Relations shown" });
    const shownRows = () => within(screen.getByRole("table", { name: "Entities shown" })).getAllByRole("row");
    await userEvent.click(within(legend).getByRole("button", { name: "treats", pressed: true }));
    await waitFor(() => expect(shownRows()).toHaveLength(2));
    expect(within(legend).getByRole("button", { name: "treats", pressed: false })).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(shownRows()).toHaveLength(4));
  });

  it("names how each is linked without the name of the focus", async () => {
    renderExplorer("/explore/demo/canvas?focus=D:1&show=table");
    const twin = await screen.findByRole("table", { name: "Entities shown" });
    expect(within(twin).getByRole("columnheader", { name: "How Aspirin is linked to it" })).toBeInTheDocument();
    expect(within(twin).getAllByRole("cell", { name: "treats" })).toHaveLength(2);
  });

  it("leads to the list of a hub where the picture holds no more of it", async () => {
    serveGraph((_request, url) => {
      if (url.pathname.endsWith("/D%3A1")) return jsonResponse(makeEntity({ relations: [makeRelation({ count: 1000 })] }));
      if (!url.pathname.endsWith("D%3A1/neighbours")) return undefined;
      const results = Array.from({ length: Number(url.searchParams.get("limit")) }, (_, at) => makeNeighbour(at));
      return jsonResponse({ snapshot: SNAPSHOT, count: 1000, results, next: "1" });
    });
    const more = encodeURIComponent(`200.${sideKey("D:1", "treats", true)}`);
    renderExplorer(`/explore/demo/canvas?focus=D:1&show=table&more=${more}`);
    const list = await screen.findByRole("link", { name: "List all 1,000 that Aspirin treats" });
    expect(list).toHaveAttribute("href", "/explore/demo/e/D:1?rel=out.treats");
    expect(screen.queryByText("Show more")).not.toBeInTheDocument();
  });

  it("says that the edges among the neighbours could not be read, and reads them when asked again", async () => {
    let isAway = true;
    const edge = { edge: 9, source: "X:1", target: "X:2", relation: "leads to", phrase: "can lead to", symmetric: false, evidence: null };
    serveGraph((_request, { pathname }) => {
      if (!pathname.endsWith("/subgraph")) return undefined;
      if (isAway) return problemResponse(429, "too_many", "Too many requests. Try again in 7 s.");
      return jsonResponse({ snapshot: SNAPSHOT, entities: [], edges: [edge], shown: 1, total: 1, capped: false });
    });
    renderExplorer("/explore/demo/canvas?focus=D:1&show=table");
    expect(await screen.findByRole("alert")).toHaveTextContent("Too many requests. Try again in 7 s.");
    expect(await rows("Edges shown")).toHaveLength(2);
    isAway = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("button", { name: "Disease 1 can lead to Disease 2" })).toBeInTheDocument();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });

  it("offers what is not drawn of a hub, and draws 25 more of it", async () => {
    const requests = serveGraph((_request, url) => {
      if (url.pathname.endsWith("/D%3A1")) return jsonResponse(makeEntity({ relations: [makeRelation({ count: 1000 })] }));
      if (!url.pathname.endsWith("D%3A1/neighbours")) return undefined;
      const results = Array.from({ length: Number(url.searchParams.get("limit")) }, (_, at) => makeNeighbour(at));
      return jsonResponse({ snapshot: SNAPSHOT, count: 1000, results, next: "1" });
    });
    renderExplorer("/explore/demo/canvas?focus=D:1&show=table");
    expect(await screen.findByText("Aspirin treats 975 more")).toBeInTheDocument();
    await userEvent.click(screen.getByText("Show more"));
    expect(await screen.findByText("Aspirin treats 950 more")).toBeInTheDocument();
    expect(requests.some(({ path }) => path.includes("limit=50"))).toBe(true);
  });
});

/** The picture comes with a library of its own, which is loaded first. */
const PATIENCE = { timeout: 4000 };

describe("words and picture side by side", () => {
  const path = "/explore/demo/e/D:1?show=table&rel=out.treats";
  beforeEach(() => {
    serveGraph();
    vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
    window.history.replaceState(null, "", path);
  });
  afterEach(() => {
    window.history.replaceState(null, "", "/");
  });
  const row = async (name: string) =>
    within(await screen.findByRole("list", { name: "Aspirin treats" }, PATIENCE)).getByRole("link", { name }).closest("li") as HTMLElement;
  const inTable = async (name: string) =>
    within(await screen.findByRole("table", { name: "Entities shown" }, PATIENCE)).getByRole("button", { name });

  it("shows in the list what is selected in the table", async () => {
    renderExplorer(path);
    expect(await row("Disease 2")).not.toHaveAttribute("aria-current");
    await userEvent.click(await inTable("Disease 2"));
    expect(await row("Disease 2")).toHaveAttribute("aria-current", "true");
    expect(await row("Disease 1")).not.toHaveAttribute("aria-current");
  });

  it("shows in the table what has the focus in the list", async () => {
    renderExplorer(path);
    await inTable("Disease 1");
    within(await row("Disease 1")).getByRole("link", { name: "Disease 1" }).focus();
    await waitFor(async () => expect(await inTable("Disease 1")).toHaveAttribute("aria-pressed", "true"));
  });

  it("keeps what is selected in the address while a relation is opened or closed", async () => {
    serveGraph((_request, { pathname }) => (pathname.endsWith("/D%3A1") ? jsonResponse(makeEntity({ relations: [makeRelation({ count: 9 })] })) : undefined));
    const router = renderExplorer(path);
    await userEvent.click(await inTable("Disease 2"));
    await waitFor(() => expect(window.location.search).toContain("sel=X%3A2"));
    await userEvent.click(screen.getByRole("button", { name: "Show the first five", expanded: true }));
    await waitFor(() => expect(router.state.location.search).toBe("?show=table&sel=X%3A2"));
  });

  it("takes what is selected along to the larger picture", async () => {
    renderExplorer(path);
    await userEvent.click(await inTable("Disease 2"));
    const larger = screen.getByRole("link", { name: "Larger view with table" });
    expect(larger).toHaveAttribute("href", "/explore/demo/canvas?focus=D%3A1&sel=X%3A2");
  });

  it("stands at the focus where what the address selects is not drawn", async () => {
    window.history.replaceState(null, "", `${path}&sel=X:404`);
    renderExplorer(`${path}&sel=X:404`);
    expect(await inTable("Aspirin")).toHaveAttribute("aria-pressed", "true");
  });
});
