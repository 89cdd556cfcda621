import { Link } from "react-router";
import { Page } from "@/components/Page";
import { GraphSearchField } from "@/domains/graphs/GraphSearchField";
import { graphUrl, schemaUrl } from "@/domains/graphs/graphUrls";
import { rnsUrl } from "@/domains/graphs/rnsUrls";
import { TypeLabel } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { useCurrentUser } from "@/lib/currentUser";
import { formatCount, formatLongDate, formatPlural } from "@/lib/format";
import { recentPlaces } from "@/lib/recentPlaces";
import type { GraphDetail } from "./api";
import styles from "./Landing.module.css";
import { Surprises } from "./Surprises";

/** Ways into a graph for who knows no name in it: surprises, types, and what was opened before. */
export function GraphLanding({ graph }: { graph: GraphDetail }) {
  const where = useGraphParams();
  const version = graph.versions.find(({ snapshot }) => snapshot === (where.snapshot ?? graph.latest));
  const size = version && `${formatPlural(version.entities, "entity", "entities")}, ${formatPlural(version.edges, "edge")}.`;
  return (
    <Page title={graph.name} intro={[size, graph.description].filter(Boolean).join(" ")} width="wide">
      <div className={styles.search}><GraphSearchField /></div>
      <RecentEntities slug={graph.slug} />
      <Surprises />
      <section aria-labelledby="types" className={styles.section}>
        <h2 id="types">Entities by type</h2>
        <ul className={styles.types}>
          {graph.types.filter(({ count }) => count > 0).map(({ name, count }) => (
            <li key={name}>
              <Link to={graphUrl(where, "", { type: name })} className={styles.type}>
                <TypeLabel type={name} /> <span className="number">{formatCount(count)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <p><Link to={schemaUrl(where)}>Schema: which types each relation joins</Link></p>
      <p><Link to={rnsUrl(where)}>Score the serendipity of two sets of entities</Link></p>
      <details className={styles.details}>
        <summary>Version, licence and how to cite</summary>
        <dl>
          {version && <><dt>Version</dt><dd>{version.number}, {formatLongDate(version.created_at)}</dd></>}
          {version && <><dt>Snapshot</dt><dd className={styles.code}>{version.snapshot}</dd></>}
          {graph.licence && <><dt>Licence</dt><dd>{graph.licence}</dd></>}
          {graph.citation && <><dt>Cite as</dt><dd>{graph.citation}</dd></>}
        </dl>
      </details>
    </Page>
  );
}

function RecentEntities({ slug }: { slug: string }) {
  const me = useCurrentUser();
  const start = `/explore/${encodeURIComponent(slug)}/`;
  const recent = recentPlaces(me?.id).filter(({ kind, url }) => kind === "Entity" && url.startsWith(start));
  if (recent.length === 0) return null;
  return (
    <section aria-label="Opened on this device" className={styles.recent}>
      <h2>Opened on this device</h2>
      <ul>{recent.map(({ title, url }) => <li key={url}><Link to={url}>{title}</Link></li>)}</ul>
    </section>
  );
}
