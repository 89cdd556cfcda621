/** From what was read and what is open to what is drawn and listed: pure, so that one is the other. */
import type { Entity, EntityBrief, Evidence, NeighbourPage, RelationCount, SubgraphEdge } from "../api";
import { lookOf, type Look, type Looks } from "@/lib/graphs/looks";
import { sideOf, type Opening } from "./state";

export const MOST_NODES = 300;
export const MOST_EDGES = 600;
export const STEP = 25;
/** As many as one page of the server holds; beyond that the list is the place to look. */
export const MOST_PER_SIDE = 200;

export interface SceneEntity {
  kind: "entity";
  id: string;
  name: string;
  type: string;
  look: Look;
  degree: number;
  isOpen: boolean;
}

/** All that is not drawn of one side of an entity. */
export interface SceneMore {
  kind: "more";
  id: string;
  owner: string;
  ownerName: string;
  side: string;
  relation: RelationCount;
  shown: number;
  rest: number;
}

export type SceneNode = SceneEntity | SceneMore;

export interface SceneEdge {
  id: string;
  source: string;
  target: string;
  relation: string;
  /** The words from source to target, or from target to source where `isBackward`. */
  phrase: string;
  isBackward: boolean;
  symmetric: boolean;
  evidence: Evidence | null;
}

export interface Scene {
  focus: string;
  nodes: SceneNode[];
  edges: SceneEdge[];
  /** Joins a 'more' to its entity; drawn, but no edge of the graph. */
  ties: { id: string; source: string; target: string }[];
  entities: number;
  /** Edges of the open entities that are drawn, and all they have. */
  shown: number;
  all: number;
  isFull: boolean;
}

export interface OpenSide {
  relation: RelationCount;
  take: number;
  page: NeighbourPage | undefined;
}

export interface OpenEntity {
  entity: Entity;
  sides: OpenSide[];
}

/** How many of each side are shown at first: few where there are many sides. */
export function firstTake(sides: number, isFocus: boolean): number {
  return Math.min(STEP, Math.max(isFocus ? 3 : 2, Math.floor((isFocus ? 36 : 20) / Math.max(1, sides))));
}

/** The sides of an entity that the opening shows, and how many of each. */
export function sidesOf(entity: Entity, opening: Opening, isFocus: boolean): Omit<OpenSide, "page">[] {
  const shown = entity.relations.filter(({ relation }) => !opening.hide.includes(relation));
  const usual = firstTake(entity.relations.length, isFocus);
  return shown.map((relation) => {
    const asked = opening.more.get(sideOf(entity.id, relation.relation, relation.outgoing));
    const take = Math.min(MOST_PER_SIDE, asked ?? usual);
    // In the place of a '+1' stands the one itself.
    const isAllButOne = relation.count === take + 1 && take < MOST_PER_SIDE;
    return { relation, take: isAllButOne ? take + 1 : take };
  });
}

export function buildScene(focus: string, opened: OpenEntity[], across: SubgraphEdge[] = [], looks: Looks = lookOf): Scene {
  const building = new Building(focus, looks);
  for (const one of opened) building.open(one);
  building.join(across);
  return building.scene();
}

class Building {
  readonly #entities = new Map<string, SceneEntity>();
  readonly #mores: SceneMore[] = [];
  readonly #edges = new Map<string, SceneEdge>();
  readonly #ties: Scene["ties"] = [];
  #shown = 0;
  #all = 0;
  #isFull = false;

  constructor(
    private readonly focus: string,
    private readonly looks: Looks,
  ) {}

  /** An entity whose neighbours are shown; one that is not in the picture stays out of it. */
  open({ entity, sides }: OpenEntity): void {
    if (entity.id !== this.focus && !this.#entities.has(entity.id)) return;
    const degree = entity.relations.reduce((sum, { count }) => sum + count, 0);
    this.#entities.set(entity.id, { ...this.#brief(entity, degree), isOpen: true });
    for (const side of sides) this.#side(entity, side);
  }

  #side(entity: Entity, { relation, take, page }: OpenSide): void {
    let drawn = 0;
    for (const neighbour of page?.results.slice(0, take) ?? []) {
      const { id } = neighbour.entity;
      if (!this.#place(neighbour.entity)) continue;
      drawn += 1;
      const outgoing = relation.outgoing;
      this.#draw({
        id: `edge:${neighbour.edge}`,
        source: outgoing ? entity.id : id,
        target: outgoing ? id : entity.id,
        relation: relation.relation,
        phrase: relation.phrase,
        isBackward: !outgoing,
        symmetric: relation.symmetric,
        evidence: neighbour.evidence,
      });
    }
    this.#shown += drawn;
    this.#all += relation.count;
    if (page && relation.count > drawn) this.#more(entity, relation, drawn);
  }

  #place(entity: EntityBrief): boolean {
    if (this.#entities.has(entity.id)) return true;
    if (this.#entities.size + this.#mores.length >= MOST_NODES) {
      this.#isFull = true;
      return false;
    }
    this.#entities.set(entity.id, { ...this.#brief(entity, entity.degree), isOpen: false });
    return true;
  }

  #more(entity: Entity, relation: RelationCount, shown: number): void {
    if (this.#entities.size + this.#mores.length >= MOST_NODES) {
      this.#isFull = true;
      return;
    }
    const side = sideOf(entity.id, relation.relation, relation.outgoing);
    const id = `more:${side}`;
    const rest = relation.count - shown;
    this.#mores.push({ kind: "more", id, owner: entity.id, ownerName: entity.name, side, relation, shown, rest });
    this.#ties.push({ id: `tie:${side}`, source: entity.id, target: id });
  }

  #draw(edge: SceneEdge): void {
    if (this.#edges.has(edge.id)) return;
    if (this.#edges.size >= MOST_EDGES) this.#isFull = true;
    else this.#edges.set(edge.id, edge);
  }

  /** Edges between entities that are both there for another reason. */
  join(across: SubgraphEdge[]): void {
    for (const { edge, source, target, relation, phrase, symmetric, evidence } of across) {
      if (!this.#entities.has(source) || !this.#entities.has(target)) continue;
      this.#draw({
        id: `edge:${edge}`, source, target, relation, phrase, isBackward: false, symmetric, evidence,
      });
    }
  }

  #brief({ id, name, type }: { id: string; name: string; type: string }, degree: number): Omit<SceneEntity, "isOpen"> {
    return { kind: "entity", id, name, type, look: this.looks(type), degree };
  }

  scene(): Scene {
    return {
      focus: this.focus,
      nodes: [...this.#entities.values(), ...this.#mores],
      edges: [...this.#edges.values()],
      ties: this.#ties,
      entities: this.#entities.size,
      shown: this.#shown,
      all: this.#all,
      isFull: this.#isFull,
    };
  }
}

/** Whether it is drawn: what was selected may have been collapsed since, or is only in a list. */
export function holds({ nodes, edges }: Scene, id: string): boolean {
  return nodes.some((node) => node.id === id) || edges.some((edge) => edge.id === id);
}

export function nodeName(node: SceneNode): string {
  return node.kind === "more" ? `+${node.rest.toLocaleString("en-GB")}` : node.name;
}

/** 'Aspirin treats headache', whichever way the edge was found. */
export function edgeWords(scene: Scene, edge: SceneEdge): { from: string; phrase: string; to: string } {
  const name = (id: string) => {
    const node = scene.nodes.find((one) => one.id === id);
    return node ? nodeName(node) : id;
  };
  const [from, to] = edge.isBackward ? [edge.target, edge.source] : [edge.source, edge.target];
  return { from: name(from), phrase: edge.phrase, to: name(to) };
}

/** Everything that a node is joined to, with the words from the node to it. */
export function joined(scene: Scene, id: string): { other: string; words: string }[] {
  const edges = scene.edges
    .filter(({ source, target }) => source === id || target === id)
    .map((edge) => {
      const { from, phrase, to } = edgeWords(scene, edge);
      return { other: edge.source === id ? edge.target : edge.source, words: `${from} ${phrase} ${to}` };
    });
  const ties = scene.ties
    .filter(({ source, target }) => source === id || target === id)
    .map(({ source, target }) => ({ other: source === id ? target : source, words: "more, not drawn" }));
  return [...edges, ...ties];
}
