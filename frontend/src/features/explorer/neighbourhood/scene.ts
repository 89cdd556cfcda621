/** From what was read and what is open to what is drawn and listed: pure, so that one is the other. */
import { typeStyle, type TypeStyle, type TypeStyles } from "@/domains/graphs/typeStyles";
import { nodeName } from "@/domains/graphs/drawing/picture";
import type { Entity, EntityBrief, Evidence, NeighbourPage, RelationCount, SubgraphEdge } from "../api";
import { byImportance } from "../relationOrder";
import { sideKey, type Expansion } from "./expansion";

export const MAX_NODES = 300;
const MAX_EDGES = 600;
export const MORE_STEP = 25;
/** As many as one page of the server holds; beyond that the list is the place to look. */
export const MAX_PER_SIDE = 200;

export interface SceneEntity {
  kind: "entity";
  id: string;
  name: string;
  type: string;
  style: TypeStyle;
  degree: number;
  isOpen: boolean;
}

/** All that is not drawn of one side of an entity. */
export interface SceneMoreNode {
  kind: "more";
  id: string;
  owner: string;
  ownerName: string;
  side: string;
  relation: RelationCount;
  shown: number;
  rest: number;
}

export type SceneNode = SceneEntity | SceneMoreNode;

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
  edgesByNode: { id: string; source: string; target: string }[];
  entities: number;
  /** Edges of the open entities that are drawn, and all they have. */
  shown: number;
  all: number;
  isFull: boolean;
}

interface ExpandedSide {
  relation: RelationCount;
  limit: number;
  page: NeighbourPage | undefined;
}

export interface ExpandedEntity {
  entity: Entity;
  sides: ExpandedSide[];
}

/** How many of each side are shown at first: few where there are many sides. */
export function initialLimit(sides: number, isFocus: boolean): number {
  return Math.min(MORE_STEP, Math.max(isFocus ? 3 : 2, Math.floor((isFocus ? 36 : 20) / Math.max(1, sides))));
}

/** The sides of an entity that the opening shows, and how many of each. */
export function sidesOf(entity: Entity, opening: Expansion, isFocus: boolean): Omit<ExpandedSide, "page">[] {
  const shown = byImportance(entity.relations).filter(({ relation }) => !opening.hiddenRelations.includes(relation));
  const usual = initialLimit(entity.relations.length, isFocus);
  return shown.map((relation) => {
    const requested = opening.limits.get(sideKey(entity.id, relation.relation, relation.outgoing));
    const limit = Math.min(MAX_PER_SIDE, requested ?? usual);
    // In the place of a '+1' stands the one itself.
    const isAllButOne = relation.count === limit + 1 && limit < MAX_PER_SIDE;
    return { relation, limit: isAllButOne ? limit + 1 : limit };
  });
}

export function buildScene(focus: string, opened: ExpandedEntity[], across: SubgraphEdge[] = [], looks: TypeStyles = typeStyle): Scene {
  const building = new SceneBuilder(focus, looks);
  for (const one of opened) building.addEntity(one);
  building.joinEdges(across);
  return building.scene();
}

class SceneBuilder {
  readonly #entities = new Map<string, SceneEntity>();
  readonly #moreNodes: SceneMoreNode[] = [];
  readonly #edges = new Map<string, SceneEdge>();
  readonly #edgesByNode: Scene["edgesByNode"] = [];
  #shown = 0;
  #all = 0;
  #isFull = false;

  constructor(
    private readonly focus: string,
    private readonly looks: TypeStyles,
  ) {}

  /** An entity whose neighbours are shown; one that is not in the picture stays out of it. */
  addEntity({ entity, sides }: ExpandedEntity): void {
    if (entity.id !== this.focus && !this.#entities.has(entity.id)) return;
    const degree = entity.relations.reduce((sum, { count }) => sum + count, 0);
    this.#entities.set(entity.id, { ...this.#brief(entity, degree), isOpen: true });
    for (const side of sides) this.#addSide(entity, side);
  }

  #addSide(entity: Entity, { relation, limit, page }: ExpandedSide): void {
    let drawn = 0;
    for (const neighbour of page?.results.slice(0, limit) ?? []) {
      const { id } = neighbour.entity;
      if (!this.#addNode(neighbour.entity)) continue;
      drawn += 1;
      const outgoing = relation.outgoing;
      this.#addEdge({
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
    if (page && relation.count > drawn) this.#addMoreNode(entity, relation, drawn);
  }

  #addNode(entity: EntityBrief): boolean {
    if (this.#entities.has(entity.id)) return true;
    if (this.#entities.size + this.#moreNodes.length >= MAX_NODES) {
      this.#isFull = true;
      return false;
    }
    this.#entities.set(entity.id, { ...this.#brief(entity, entity.degree), isOpen: false });
    return true;
  }

  #addMoreNode(entity: Entity, relation: RelationCount, shown: number): void {
    if (this.#entities.size + this.#moreNodes.length >= MAX_NODES) {
      this.#isFull = true;
      return;
    }
    const side = sideKey(entity.id, relation.relation, relation.outgoing);
    const id = `more:${side}`;
    const rest = relation.count - shown;
    this.#moreNodes.push({ kind: "more", id, owner: entity.id, ownerName: entity.name, side, relation, shown, rest });
    this.#edgesByNode.push({ id: `tie:${side}`, source: entity.id, target: id });
  }

  #addEdge(edge: SceneEdge): void {
    if (this.#edges.has(edge.id)) return;
    if (this.#edges.size >= MAX_EDGES) this.#isFull = true;
    else this.#edges.set(edge.id, edge);
  }

  /** Edges between entities that are both there for another reason. */
  joinEdges(across: SubgraphEdge[]): void {
    for (const { edge, source, target, relation, phrase, symmetric, evidence } of across) {
      if (!this.#entities.has(source) || !this.#entities.has(target)) continue;
      this.#addEdge({
        id: `edge:${edge}`, source, target, relation, phrase, isBackward: false, symmetric, evidence,
      });
    }
  }

  #brief({ id, name, type }: { id: string; name: string; type: string }, degree: number): Omit<SceneEntity, "isOpen"> {
    return { kind: "entity", id, name, type, style: this.looks(type), degree };
  }

  scene(): Scene {
    return {
      focus: this.focus,
      nodes: [...this.#entities.values(), ...this.#moreNodes],
      edges: [...this.#edges.values()],
      edgesByNode: this.#edgesByNode,
      entities: this.#entities.size,
      shown: this.#shown,
      all: this.#all,
      isFull: this.#isFull,
    };
  }
}

/** Whether it is drawn: what was selected may have been collapsed since, or is only in a list. */
export function sceneHas({ nodes, edges }: Scene, id: string): boolean {
  return nodes.some((node) => node.id === id) || edges.some((edge) => edge.id === id);
}

/** 'Aspirin treats headache', whichever way the edge was found. */
export function edgeLabel(scene: Scene, edge: SceneEdge): { from: string; phrase: string; to: string } {
  const name = (id: string) => {
    const node = scene.nodes.find((one) => one.id === id);
    return node ? nodeName(node) : id;
  };
  const [from, to] = edge.isBackward ? [edge.target, edge.source] : [edge.source, edge.target];
  return { from: name(from), phrase: edge.phrase, to: name(to) };
}

/** Everything that a node is joined to, with the words from the node to it. */
export function neighbourLinks(scene: Scene, id: string): { other: string; words: string }[] {
  const edges = scene.edges.filter(({ source, target }) => source === id || target === id)
    .map((edge) => {
      const { from, phrase, to } = edgeLabel(scene, edge);
      return { other: edge.source === id ? edge.target : edge.source, words: `${from} ${phrase} ${to}` };
    });
  const ties = scene.edgesByNode.filter(({ source, target }) => source === id || target === id)
    .map(({ source, target }) => ({ other: source === id ? target : source, words: "more, not drawn" }));
  return [...edges, ...ties];
}
