import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SkeletonRows } from "@/components/SkeletonRows";
import { graphUrl } from "@/domains/graphs/graphUrls";
import { TypeLabel } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatCount, formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { schemaQuery, type GraphSchema } from "../api";
import { ExplorerFrame } from "../ExplorerFrame";
import { Profile } from "./Profile";
import styles from "./Schema.module.css";
import { SchemaDrawing } from "./SchemaDrawing";
import { kindsOfType } from "./schemaLayout";

/** The types and relations of a graph, and which types each relation joins. */
export function SchemaPage() {
  return <ExplorerFrame current="Schema">{(graph) => <SchemaView name={graph.name} />}</ExplorerFrame>;
}

function SchemaView({ name }: { name: string }) {
  const where = useGraphParams();
  const schema = useQuery(schemaQuery(where));
  return (
    <Page title="Schema" intro={`Types and relations of ${name}, counted.`} width="wide">
      <QueryBoundary query={schema} skeleton={<SkeletonRows rows={8} height={44} />}>
        {(data) => data.edge_kinds.length === 0
          ? <EmptyState>This graph has no edges.</EmptyState>
          : <><Schema schema={data} /><Profile name={name} /></>}
      </QueryBoundary>
    </Page>
  );
}

const EVERY_TYPE = "";

function Schema({ schema }: { schema: GraphSchema }) {
  const [params, change] = useUrlParams();
  const type = schema.types.find(({ name }) => name === params.get("type"))?.name ?? EVERY_TYPE;
  const choose = (name: string) => change({ type: name === type ? null : name });
  return (
    <div className={styles.schema}>
      <SchemaDrawing schema={schema} type={type} onChoose={choose} />
      <TypeTable schema={schema} />
      <KindTable schema={schema} type={type} onChoose={choose} />
    </div>
  );
}

function TypeTable({ schema: { types } }: { schema: GraphSchema }) {
  const where = useGraphParams();
  return (
    <section aria-labelledby="schema-types" className={styles.section}>
      <h2 id="schema-types">Types</h2>
      <ul className={styles.types}>
        {types.filter(({ count }) => count > 0).map(({ name, count }) => (
          <li key={name}>
            <Link to={graphUrl(where, "", { type: name })}><TypeLabel type={name} /></Link>{" "}
            <span className="number">{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface KindProps {
  schema: GraphSchema;
  type: string;
  onChoose: (type: string) => void;
}

function KindTable({ schema, type, onChoose }: KindProps) {
  const kinds = kindsOfType(schema.edge_kinds, type);
  const phrases = new Map(schema.relations.map(({ relation, forward }) => [relation, forward]));
  const hidden = schema.kinds_total - schema.edge_kinds.length;
  return (
    <section aria-labelledby="schema-relations" className={styles.section}>
      <div className={styles.head}>
        <h2 id="schema-relations">Relations</h2>
        {type && <SegmentedControl label="Relations of" options={[{ value: type, label: type }, { value: EVERY_TYPE, label: "All types" }]} value={type} onChange={(value) => value === EVERY_TYPE && onChoose(type)} />}
      </div>
      <p className={styles.quiet} role="status">
        {formatPlural(schema.relations.filter(({ count }) => count > 0).length, "relation")}.{" "}
        {formatPlural(kinds.length, "kind")} of edge{type && ` at ${type}`}.
        {hidden > 0 && ` The ${formatCount(schema.edge_kinds.length)} commonest of ${formatCount(schema.kinds_total)} are listed.`}
      </p>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Kinds of edge">
        <table aria-label="Kinds of edge">
          <thead>
            <tr><th scope="col">From</th><th scope="col">Relation</th><th scope="col">To</th><th scope="col">Edges</th></tr>
          </thead>
          <tbody>
            {kinds.map(({ source, relation, target, count }) => (
              <tr key={`${source} ${relation} ${target}`}>
                <td><TypeLabel type={source} /></td>
                <th scope="row">{phrases.get(relation) ?? relation} <code className={styles.quiet}>{relation}</code></th>
                <td><TypeLabel type={target} /></td>
                <td className="number">{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
