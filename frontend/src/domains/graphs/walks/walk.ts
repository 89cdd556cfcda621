/** A walk on a graph, step by step: what each step offered, what was chosen, and what is drawn of it. */
import type { NodeMark, Picture, PictureNode } from "@/domains/graphs/drawing/picture";
import type { TypeStyles } from "@/domains/graphs/typeStyles";

export interface WalkEntity {
  id: string;
  name: string;
  type: string;
}

export interface WalkOffer {
  /** Null for an entity that a search returned. */
  source: WalkEntity | null;
  phrase: string;
  target: WalkEntity;
  isChosen: boolean;
}

export interface WalkStep {
  frontier: WalkEntity[];
  offered: WalkOffer[];
  /** Entities that were offered, and are not in the list. */
  rest: number;
}

export interface Walk {
  /** Where it starts; null where each step names its own entities. */
  root: WalkEntity | null;
  steps: WalkStep[];
  /** Chosen entities that are right, where that is public. */
  hits: ReadonlySet<string>;
}

/** Nodes that stand beside each other: those of the walk first, which never move again. */
export interface WalkColumn {
  walked: string[];
  others: string[];
}

export interface WalkFrame {
  picture: Picture;
  columns: WalkColumn[];
}

/** Of the entities of a step that were not chosen; the others are counted. */
export const MOST_DRAWN = 24;

export const entityName = ({ id, name }: WalkEntity) => name || id;

/** The walk after so many steps: with all that the last one of them offered. */
export function frameAt({ root, steps, hits }: Walk, level: number, looks: TypeStyles): WalkFrame {
  const frame = new FrameBuilder(hits, looks);
  if (root) frame.place(root, 0, level === 0 ? "frontier" : "chosen");
  steps.slice(0, level).forEach((step, at) => {
    const isLast = at === level - 1;
    for (const entity of step.frontier) frame.place(entity, 0, isLast ? "frontier" : "chosen");
    for (const offer of step.offered) if (offer.isChosen) frame.join(offer, step.offered, isLast);
    if (isLast) frame.addOffered(step);
  });
  return frame.build(root?.id ?? steps[level - 1]?.frontier[0]?.id ?? "");
}

interface PlacedNode {
  entity: WalkEntity;
  depth: number;
  mark: NodeMark;
}

class FrameBuilder {
  readonly #placed = new Map<string, PlacedNode>();
  readonly #edges = new Map<string, Picture["edges"][number]>();
  readonly #rests: { id: string; depth: number; rest: number; source: string | null }[] = [];

  constructor(
    private readonly hits: ReadonlySet<string>,
    private readonly looks: TypeStyles,
  ) {}

  /** One that has a place stays in it. */
  place(entity: WalkEntity, depth: number, mark: NodeMark): void {
    const { id } = entity;
    const before = this.#placed.get(id);
    const isHit = this.hits.has(id) && mark !== "offered";
    this.#placed.set(id, { entity, depth: before?.depth ?? depth, mark: isHit ? "hit" : mark });
  }

  /** A step to a chosen entity: in the last step every one, else the first that reached it. */
  join(offer: WalkOffer, among: WalkOffer[], isEvery: boolean): void {
    const { source, target } = offer;
    const isNew = !this.#placed.has(target.id);
    if (source && !this.#placed.has(source.id)) this.#joinSource(source, among);
    if (isNew) this.place(target, this.#depthAfter(source), "chosen");
    if (isNew || isEvery) this.#addEdge(offer, false);
  }

  /** The middle of a path, which was not chosen itself. */
  #joinSource(source: WalkEntity, among: WalkOffer[]): void {
    const before = among.find(({ target, source: from }) => target.id === source.id && from && this.#placed.has(from.id));
    this.place(source, before ? this.#depthAfter(before.source) : 0, "chosen");
    if (before) this.#addEdge(before, false);
  }

  #depthAfter(source: WalkEntity | null): number {
    return source ? (this.#placed.get(source.id)?.depth ?? 0) + 1 : 0;
  }

  addOffered({ offered, rest }: WalkStep): void {
    const left = new Map<string | null, Set<string>>();
    let drawn = 0;
    for (const offer of offered) {
      const { source, target } = offer;
      if (!this.#placed.has(target.id)) {
        if (drawn >= MOST_DRAWN) {
          const key = source?.id ?? null;
          left.set(key, (left.get(key) ?? new Set()).add(target.id));
          continue;
        }
        drawn += 1;
        this.place(target, this.#depthAfter(source), "offered");
      }
      this.#addEdge(offer, true);
    }
    for (const [source, targets] of left) this.#addRest(source, targets.size);
    if (rest > 0) this.#addRest(offered[0]?.source?.id ?? null, rest);
  }

  #addRest(source: string | null, rest: number): void {
    const id = `rest:${source ?? ""}`;
    const before = this.#rests.find((one) => one.id === id);
    if (before) before.rest += rest;
    else this.#rests.push({ id, source, rest, depth: source === null ? 0 : (this.#placed.get(source)?.depth ?? 0) + 1 });
  }

  #addEdge({ source, target, phrase, isChosen }: WalkOffer, isFaint: boolean): void {
    if (!source || !this.#placed.has(source.id)) return;
    const id = `${source.id}\n${phrase}\n${target.id}`;
    if (!this.#edges.has(id)) this.#edges.set(id, { id, source: source.id, target: target.id, phrase, symmetric: false, isFaint: isFaint && !isChosen });
  }

  build(focus: string): WalkFrame {
    const nodes = [...this.#placed.values()].map((one) => this.#node(one));
    const rests = this.#rests.map(({ id, rest }): PictureNode => ({ kind: "more", id, rest }));
    const edgesByNode = this.#rests.flatMap(({ id, source }) => (source === null ? [] : [{ id: `tie ${id}`, source, target: id }]));
    return { picture: { focus, nodes: [...nodes, ...rests], edges: [...this.#edges.values()], edgesByNode }, columns: this.#columns() };
  }

  #node({ entity, mark }: PlacedNode): PictureNode {
    const name = entityName(entity);
    return { kind: "entity", id: entity.id, name: mark === "hit" ? `${name}, hit` : name, type: entity.type, style: this.looks(entity.type), isOpen: false, mark };
  }

  #columns(): WalkColumn[] {
    const all = [...this.#placed.values()];
    const deepest = Math.max(0, ...all.map(({ depth }) => depth), ...this.#rests.map(({ depth }) => depth));
    return Array.from({ length: deepest + 1 }, (_, depth): WalkColumn => {
      const here = all.filter((one) => one.depth === depth);
      const ids = (isOffered: boolean) => here.filter(({ mark }) => (mark === "offered") === isOffered).map(({ entity }) => entity.id);
      return { walked: ids(false), others: [...ids(true), ...this.#rests.filter((one) => one.depth === depth).map(({ id }) => id)] };
    });
  }
}

export const countOffered = ({ offered, rest }: WalkStep) => new Set(offered.map(({ target }) => target.id)).size + rest;

export const listChosen = ({ offered }: WalkStep): WalkEntity[] => [...new Map(offered.filter(({ isChosen }) => isChosen).map(({ target }) => [target.id, target])).values()];

/** How an entity of the drawing came into the walk, in words; empty for one that is not in it. */
export function describeEntity({ root, steps, hits }: Walk, level: number, id: string, noun: string): string {
  for (const [at, { offered, frontier }] of steps.slice(0, level).entries()) {
    const offers = offered.filter(({ target }) => target.id === id);
    const [offer] = offers;
    if (offer) {
      const from = offer.source ? ` by ${entityName(offer.source)} ${offer.phrase}` : " by a search";
      const end = offers.some(({ isChosen }) => isChosen) ? (hits.has(id) ? "Chosen, and a hit." : "Chosen.") : "Not chosen.";
      return `${entityName(offer.target)}, ${offer.target.type}: offered at ${noun} ${at + 1}${from}. ${end}`;
    }
    const named = frontier.find((one) => one.id === id);
    if (named && named.id !== root?.id) return `${entityName(named)}, ${named.type}: named at ${noun} ${at + 1}.`;
  }
  return root?.id === id ? `${entityName(root)}, ${root.type}: the walk starts here.` : "";
}
