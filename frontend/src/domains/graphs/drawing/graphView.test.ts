import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { typeStyle } from "../typeStyles";
import { bendOf, boxOf, curveBetween, readableAngle } from "./geometry";
import { GraphView } from "./graphView";
import type { Picture, PictureNode } from "./picture";

const LONG_NAME = "Pneumonoultramicroscopicsilicovolcanoconiosis";
const handlers = { onSelect: vi.fn<(id: string) => void>(), onToggle: vi.fn<(id: string) => void>() };

function entity(id: string, name = id): PictureNode {
  return { kind: "entity", id, name, type: "Drug", style: typeStyle("Drug"), isOpen: false };
}

function edge(id: string, source: string, target: string, symmetric = false) {
  return { id, source, target, phrase: "treats", symmetric };
}

const picture: Picture = {
  focus: "a",
  nodes: [entity("a"), entity("b"), entity("c", LONG_NAME), { kind: "more", id: "rest", rest: 209 }],
  edges: [edge("ab", "a", "b"), edge("ac", "a", "c", true), edge("ax", "a", "gone")],
  edgesByNode: [{ id: "tie", source: "a", target: "rest" }],
};
const places = { a: { x: 0, y: 0 }, b: { x: 300, y: 0 }, c: { x: 0, y: 300 }, rest: { x: -300, y: 0 } };

describe("the drawing", () => {
  let frame: HTMLElement;
  let view: GraphView;

  beforeEach(() => {
    frame = document.createElement("div");
    // jsdom lays nothing out.
    Object.defineProperties(frame, { clientWidth: { value: 800 }, clientHeight: { value: 600 } });
    document.body.append(frame);
    view = new GraphView(frame, handlers);
    view.update(picture, places);
  });

  afterEach(() => {
    view.destroy();
    frame.remove();
    vi.clearAllMocks();
  });

  const node = (id: string) => frame.querySelector<SVGElement>(`[data-node="${id}"]`) as SVGElement;
  const line = (id: string) => frame.querySelector<SVGElement>(`[data-edge="${id}"]`) as SVGElement;
  const nameOf = (id: string) => node(id).querySelector("text")?.textContent;
  const words = () => [...frame.querySelectorAll("svg > g > g:nth-child(2) > text")].map(({ textContent }) => textContent);
  const scaleOf = () => Number(/scale\((.*)\)/.exec(frame.querySelector("svg > g")?.getAttribute("transform") ?? "")?.[1]);
  const send = (type: string, on: EventTarget, init: PointerEventInit = {}) =>
    on.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, button: 0, ...init }));
  const tap = (on: EventTarget) => {
    send("pointerdown", on);
    send("pointerup", window);
  };

  it("has every node, and every edge of which both ends are there", () => {
    expect([...frame.querySelectorAll("[data-node]")].map((one) => one.getAttribute("data-node")).toSorted()).toEqual(["a", "b", "c", "rest"]);
    expect([...frame.querySelectorAll("[data-edge]")].map((one) => one.getAttribute("data-edge"))).toEqual(["ab", "ac"]);
    expect(frame.querySelectorAll("[data-tie]")).toHaveLength(1);
    expect(nameOf("rest")).toBe("+209");
    expect(line("ab").querySelector("polygon")).not.toBeNull();
    expect(line("ac").querySelector("polygon"), "a symmetric edge has no head").toBeNull();
  });

  it("takes away what the picture no longer has, and draws the rest where it stands", () => {
    view.update({ ...picture, nodes: picture.nodes.slice(0, 2), edges: picture.edges.slice(0, 1), edgesByNode: [] }, {});
    expect(view.positions()).toEqual({ a: places.a, b: places.b });
    expect(frame.querySelectorAll("[data-node]")).toHaveLength(2);
  });

  it("shows a cut name whole while its node is selected or pointed at", () => {
    expect(nameOf("c")).toContain("…");
    view.select("c");
    expect(nameOf("c")).toBe(LONG_NAME);
    expect(node("c")).toHaveAttribute("data-selected");
    view.select("a");
    expect(nameOf("c")).toContain("…");
    send("pointerover", node("c"));
    expect(nameOf("c")).toBe(LONG_NAME);
    expect(frame.querySelector("[data-node]:last-child"), "above the others").toBe(node("c"));
    send("pointerleave", frame.querySelector("svg") as SVGElement);
    expect(nameOf("c")).toContain("…");
  });

  it("marks the edges of what is selected, and has their words", () => {
    view.select("b");
    expect(line("ab")).toHaveAttribute("data-near");
    expect(line("ac")).not.toHaveAttribute("data-near");
    expect(words()).toContain("treats");
    view.select("ac");
    expect(line("ac")).toHaveAttribute("data-selected");
  });

  it("selects what is tapped, and opens an entity that is tapped twice", () => {
    tap(node("b"));
    expect(handlers.onSelect).toHaveBeenLastCalledWith("b");
    expect(handlers.onToggle).not.toHaveBeenCalled();
    tap(node("b"));
    expect(handlers.onToggle).toHaveBeenCalledExactlyOnceWith("b");
    tap(line("ab"));
    expect(handlers.onSelect).toHaveBeenLastCalledWith("ab");
    tap(node("rest"));
    tap(node("rest"));
    expect(handlers.onToggle).toHaveBeenCalledOnce();
  });

  it("moves a node that is dragged, with its edges, and selects nothing", () => {
    view.zoom(1 / scaleOf());
    const before = line("ab").querySelector("path")?.getAttribute("d");
    send("pointerdown", node("b"), { clientX: 10, clientY: 10 });
    send("pointermove", window, { clientX: 60, clientY: 40 });
    send("pointerup", window, { clientX: 60, clientY: 40 });
    expect(view.positions().b).toEqual({ x: 350, y: 30 });
    expect(line("ab").querySelector("path")?.getAttribute("d")).not.toBe(before);
    expect(handlers.onSelect).not.toHaveBeenCalled();
  });

  it("moves as a whole where no node is below the pointer", () => {
    const transform = () => frame.querySelector("svg > g")?.getAttribute("transform");
    const before = transform();
    send("pointerdown", frame.querySelector("svg") as SVGElement, { clientX: 10, clientY: 10 });
    send("pointermove", window, { clientX: 60, clientY: 40 });
    expect(transform()).not.toBe(before);
    expect(view.positions()).toEqual(places);
  });

  it("grows by the wheel and by two fingers, and neither is a tap", () => {
    view.zoom(1 / scaleOf());
    frame.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, cancelable: true }));
    expect(scaleOf()).toBeCloseTo(10 ** 0.2);
    view.zoom(1 / scaleOf());
    send("pointerdown", node("b"), { clientX: 100, pointerType: "touch" });
    send("pointerdown", node("b"), { clientX: 200, pointerId: 2, pointerType: "touch" });
    send("pointermove", window, { clientX: 300, pointerId: 2, pointerType: "touch" });
    send("pointerup", window, { pointerId: 2 });
    send("pointerup", window);
    expect(scaleOf()).toBeCloseTo(2);
    expect(handlers.onSelect).not.toHaveBeenCalled();
  });

  it("shows all of itself at first where that can be read", () => {
    view.start("a");
    expect(scaleOf()).toBeGreaterThan(10 / 14);
    view.update(picture, { ...places, b: { x: 9000, y: 0 } });
    view.fit();
    expect(scaleOf()).toBeLessThan(0.1 + 0.15);
    expect(frame.querySelector("svg"), "names that nobody can read are left out").toHaveAttribute("data-far");
    view.start("a");
    expect(scaleOf()).toBeCloseTo(10 / 14);
  });
});

describe("lines between nodes", () => {
  const [one, other] = [{ x: 0, y: 0, size: 20 }, { x: 100, y: 0, size: 30 }];

  it("run from rim to rim", () => {
    expect(curveBetween(one, other, 0).path).toBe("M10,0L85,0");
    expect(curveBetween(one, other, 0).middle).toEqual({ x: 50, y: 0 });
  });

  it("stand apart where there are several, in both directions", () => {
    expect([0, 1, 2].map((at) => bendOf(at, 3))).toEqual([-40, 0, 40]);
    expect(bendOf(0, 1)).toBe(0);
    const there = curveBetween(one, other, 20).middle.y;
    const back = curveBetween(other, one, 20).middle.y;
    expect(Math.sign(there)).toBe(-Math.sign(back));
  });

  it("return to a node that is linked to itself", () => {
    const { path, middle } = curveBetween(one, one, 0);
    expect(path).toContain("C");
    expect(path).not.toContain("NaN");
    expect(middle.y).toBeLessThan(-one.size / 2);
  });

  it.each([[{ x: 100, y: 0 }, 0], [{ x: -100, y: 0 }, 0], [{ x: -100, y: 100 }, -45], [{ x: 0, y: -100 }, -90]])(
    "towards %j have words that are not upside down", (to, angle) => {
      expect(Math.abs(readableAngle({ x: 0, y: 0 }, to) - angle) % 180).toBeCloseTo(0);
      expect(Math.abs(readableAngle({ x: 0, y: 0 }, to))).toBeLessThanOrEqual(90);
    },
  );

  it("are higher by each line of a name", () => {
    expect(boxOf(one, "a\nb").y2 - boxOf(one, "a").y2).toBe(16);
  });
});
