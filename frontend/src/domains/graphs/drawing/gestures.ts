/** What pointers do in a drawing: tap, tap twice, drag a node, move the drawing, zoom by wheel or two fingers. */
import type { Point } from "./picture";

export interface GestureHandlers {
  onTap: (id: string) => void;
  onDoubleTap: (id: string) => void;
  /** By pixels of the screen. */
  onDrag: (id: string, x: number, y: number) => void;
  onDrop: (id: string) => void;
  onPan: (x: number, y: number) => void;
  /** About a point of the frame. */
  onZoom: (factor: number, at: Point) => void;
}

interface Press {
  /** Of the element below the first pointer; null beside all. */
  id: string | null;
  isNode: boolean;
  from: Point;
  hasMoved: boolean;
}

const SLOP_PX = { mouse: 4, touch: 8 };
const DOUBLE_TAP_MS = 350;
const WHEEL_PX_TENFOLD = 500;
const LINE_OF_WHEEL_PX = 33;

export class Gestures {
  readonly #frame: HTMLElement;
  readonly #handlers: GestureHandlers;
  readonly #pointers = new Map<number, Point>();
  readonly #listening = new AbortController();
  #press: Press | null = null;
  #lastTap = { id: "", at: 0 };

  constructor(frame: HTMLElement, handlers: GestureHandlers) {
    this.#frame = frame;
    this.#handlers = handlers;
    const { signal } = this.#listening;
    frame.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    frame.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    // A pointer may leave the frame while it is down.
    window.addEventListener("pointermove", (event) => this.#move(event), { signal });
    window.addEventListener("pointerup", (event) => this.#up(event, true), { signal });
    window.addEventListener("pointercancel", (event) => this.#up(event, false), { signal });
  }

  stop(): void {
    this.#listening.abort();
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#pointers.set(event.pointerId, pointOf(event));
    if (this.#pointers.size === 1) this.#press = pressAt(event);
    // A second finger makes it a pinch, and no tap.
    else if (this.#press) this.#press.hasMoved = true;
  }

  #move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    const press = this.#press;
    if (!before || !press) return;
    const now = pointOf(event);
    if (this.#pointers.size > 1) return this.#pinch(event.pointerId, before, now);
    const slop = event.pointerType === "touch" ? SLOP_PX.touch : SLOP_PX.mouse;
    if (!press.hasMoved && distance(press.from, now) < slop) return;
    press.hasMoved = true;
    this.#pointers.set(event.pointerId, now);
    if (press.isNode && press.id !== null) this.#handlers.onDrag(press.id, now.x - before.x, now.y - before.y);
    else this.#handlers.onPan(now.x - before.x, now.y - before.y);
  }

  #pinch(pointer: number, before: Point, now: Point): void {
    this.#pointers.set(pointer, now);
    const other = [...this.#pointers].find(([id]) => id !== pointer)?.[1];
    if (!other) return;
    this.#handlers.onPan((now.x - before.x) / 2, (now.y - before.y) / 2);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.#handlers.onZoom(distance(now, other) / Math.max(1, distance(before, other)), this.#inFrame(middle));
  }

  #up(event: PointerEvent, isTap: boolean): void {
    if (!this.#pointers.delete(event.pointerId)) return;
    const press = this.#press;
    if (this.#pointers.size > 0 || !press) return;
    this.#press = null;
    if (press.id === null) return;
    if (press.hasMoved) {
      if (press.isNode) this.#handlers.onDrop(press.id);
    } else if (isTap) this.#tap(press.id, event.timeStamp);
  }

  #tap(id: string, at: number): void {
    const isSecond = this.#lastTap.id === id && at - this.#lastTap.at < DOUBLE_TAP_MS;
    this.#lastTap = isSecond ? { id: "", at: 0 } : { id, at };
    this.#handlers.onTap(id);
    if (isSecond) this.#handlers.onDoubleTap(id);
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_OF_WHEEL_PX * event.deltaY : event.deltaY;
    this.#handlers.onZoom(10 ** (-pixels / WHEEL_PX_TENFOLD), this.#inFrame(pointOf(event)));
  }

  #inFrame({ x, y }: Point): Point {
    const { left, top } = this.#frame.getBoundingClientRect();
    return { x: x - left, y: y - top };
  }
}

function pressAt(event: PointerEvent): Press {
  const element = event.target instanceof Element ? event.target.closest<SVGElement>("[data-node], [data-edge]") : null;
  const id = element?.dataset.node ?? element?.dataset.edge ?? null;
  return { id, isNode: element?.dataset.node !== undefined, from: pointOf(event), hasMoved: false };
}

function pointOf({ clientX, clientY }: MouseEvent): Point {
  return { x: clientX, y: clientY };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
