import { ChevronDown, ChevronRight } from "lucide-react";
import { useId } from "react";
import { Button } from "@/components/Button";
import { formatCount, formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import type { Entity, GraphDetail, RelationCount } from "./api";
import { CutoffControl } from "./CutoffControl";
import styles from "./Entity.module.css";
import { standalonePhrase } from "./labels";
import { FirstNeighbours, MAX_FIRST, Neighbours } from "./Neighbours";
import { splitRelations } from "./relationOrder";

/** One side of a relation, as the address names it. */
export function relationKey({ relation, outgoing }: { relation: string; outgoing: boolean }): string {
  return `${outgoing ? "out" : "in"}.${relation}`;
}

/** The relations that matter as lists, the others with their count, the root of it as a bar. */
export function Relations({ entity, graph }: { entity: Entity; graph: GraphDetail }) {
  const [params, changeParams] = useUrlParams();
  const open = params.get("rel");
  const { relations } = entity;
  const { lists, bars } = splitRelations(relations);
  const total = relations.reduce((sum, relation) => sum + relation.count, 0);
  const most = Math.max(1, ...bars.map((relation) => relation.count));
  const version = graph.versions.find(({ snapshot }) => snapshot === entity.snapshot);
  const rowProps = (relation: RelationCount) => {
    const key = relationKey(relation);
    return { entity, relation, isOpen: open === key, onToggle: () => changeParams({ rel: open === key ? null : key }) };
  };
  return (
    <section aria-labelledby="relations" className={styles.relations}>
      <div className={styles.relationsHead}>
        <h2 id="relations">Relations</h2>
        <p className={styles.quiet}>{formatPlural(total, "edge")}{version && `, version ${version.number}`}</p>
      </div>
      <CutoffControl graph={graph} />
      {relations.length === 0 && <p className={styles.quiet}>This entity has no links in the graph.</p>}
      {lists.map((relation) => <RelationList key={relationKey(relation)} {...rowProps(relation)} />)}
      {bars.length > 0 && (
        <ul>
          {bars.map((relation) => (
            <RelationBar key={relationKey(relation)} {...rowProps(relation)} share={relation.count / most} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface RowProps {
  entity: Entity;
  relation: RelationCount;
  /** Whether all of it is shown, page by page. */
  isOpen: boolean;
  onToggle: () => void;
}

function RelationList({ entity, relation, isOpen, onToggle }: RowProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.relationList}>
      <h3 id={id}>{standalonePhrase(relation.phrase)} <span className="number">{formatCount(relation.count)}</span></h3>
      {isOpen
        ? <Neighbours id={entity.id} name={entity.name} relation={relation} />
        : <FirstNeighbours id={entity.id} name={entity.name} relation={relation} />}
      {relation.count > MAX_FIRST && (
        <div>
          <Button variant="quiet" onPress={onToggle} aria-expanded={isOpen}>
            {isOpen ? "Show the first five" : `Show all ${formatCount(relation.count)}`}
          </Button>
        </div>
      )}
    </section>
  );
}

function RelationBar({ entity, relation, share, isOpen, onToggle }: RowProps & { share: number }) {
  const id = useId();
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <button type="button" className={styles.relation} aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
        <Chevron size={16} aria-hidden />
        <span className={styles.phrase}>{standalonePhrase(relation.phrase)}</span>{" "}
        <span className={styles.bar} aria-hidden><span style={{ width: `${Math.max(1, share * 100)}%` }} /></span>
        <span className="number">{formatCount(relation.count)}</span>
      </button>
      <div id={id} hidden={!isOpen}>{isOpen && <Neighbours id={entity.id} name={entity.name} relation={relation} />}</div>
    </li>
  );
}
