import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { releaseQuery, type Release } from "@/domains/evaluation/queries";
import { formatCoefficient, formatCount, formatPlural } from "@/lib/format";
import { importanceQuery, type ImportanceComponents } from "../queries";
import { COMPONENT_TEXTS, componentLabel, valueText } from "./componentTexts";
import styles from "./Importance.module.css";

/** The components of importance: which are there, how each is spread, and how they go together. */
export function ImportancePage() {
  const { slug = "" } = useParams();
  const release = useQuery(releaseQuery(slug));
  const parent = { to: `/releases/${slug}/discoveries`, label: "Discoveries" };
  return (
    <PageBoundary query={release} title="Components of importance" parent={parent} rows={6}>
      {(data) => <Content release={data} />}
    </PageBoundary>
  );
}

function Content({ release }: { release: Release }) {
  const query = useQuery(importanceQuery(release.slug));
  return (
    <Page
      title="Components of importance"
      parent={{ to: `/releases/${release.slug}/discoveries`, label: release.name }}
      width="wide"
      intro="The importance of a link is the mean of its percentile ranks by each component that is there, as in Dyport's section 5.7."
    >
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={8} height={44} />}>
        {(measured) => <Measured slug={release.slug} measured={measured} />}
      </QueryBoundary>
    </Page>
  );
}

function Measured({ slug, measured }: { slug: string; measured: ImportanceComponents }) {
  const { components, missing, links, split } = measured;
  return (
    <div className={styles.sections}>
      <p role="status">{formatPlural(links, "true link")} of the {split} items, {formatPlural(components.length, "component")} of {components.length + missing.length}.</p>
      {components.length === 0
        ? <EmptyState>No link of this release has components of importance.</EmptyState>
        : <><ComponentTable slug={slug} components={components} /><Correlations measured={measured} /></>}
      {missing.length > 0 && (
        <section aria-labelledby="missing">
          <h2 id="missing">Missing components</h2>
          <ul className={styles.missing}>
            {missing.map((name) => <li key={name}><strong>{componentLabel(name)}</strong>. {COMPONENT_TEXTS[name]?.missing}</li>)}
          </ul>
        </section>
      )}
    </div>
  );
}

function ComponentTable({ slug, components }: { slug: string; components: ImportanceComponents["components"] }) {
  const heads = ["Lowest", "Median", "Highest", "Links", "Tied"].map((label) => ({ label, isNumeric: true }));
  return (
    <section aria-labelledby="components">
      <h2 id="components">Each component</h2>
      <DataTable label="Components of importance" minWidth={720} folds columns={["Component", "Unit", ...heads]}>
        {components.map(({ name, links, ties, lowest, median, highest }) => (
          <tr key={name}>
            <th scope="row"><Link to={`/releases/${slug}/importance/${name}`}>{componentLabel(name)}</Link></th>
            <td>{COMPONENT_TEXTS[name]?.unit}</td>
            {[lowest, median, highest].map((value, at) => <td key={at} data-numeric className="number">{valueText(value)}</td>)}
            <td data-numeric className="number">{formatCount(links)}</td>
            <td data-numeric className="number">{formatCount(ties)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

/** Spearman's, as the paper's Table 2. */
function Correlations({ measured: { components, correlations } }: { measured: ImportanceComponents }) {
  return (
    <section aria-labelledby="correlations">
      <h2 id="correlations">Correlations</h2>
      <p className={styles.note}>Spearman's rank correlation over the links that have both. Jaccard's index is ranked from the highest to the lowest, as in the paper's Table 2.</p>
      <DataTable label="Rank correlations of components" minWidth={160 + 110 * components.length} columns={["Component", ...components.map(({ name }) => ({ label: componentLabel(name), isNumeric: true }))]}>
        {components.map(({ name }, at) => (
          <tr key={name}>
            <th scope="row">{componentLabel(name)}</th>
            {components.map((other, place) => <td key={other.name} data-numeric className="number">{correlationText(correlations[at]?.[place])}</td>)}
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

const correlationText = (value: number | null | undefined) => (value === null || value === undefined ? "constant" : formatCoefficient(value, 3));
