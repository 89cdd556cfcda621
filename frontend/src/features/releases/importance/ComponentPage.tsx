import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { releaseQuery, type Release } from "@/domains/evaluation/queries";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { formatCount, formatPercent, formatPlural } from "@/lib/format";
import { componentLinksQuery, importanceQuery, type Discoveries, type Discovery, type ImportanceComponent } from "../queries";
import { COMPONENT_TEXTS, componentLabel, valueText } from "./componentTexts";
import styles from "./Importance.module.css";

/** One component of importance: what it is, how it is spread, and the links that it ranks highest. */
export function ComponentPage() {
  const { slug = "", component = "" } = useParams();
  const release = useQuery(releaseQuery(slug));
  const parent = { to: `/releases/${slug}/importance`, label: "Components of importance" };
  return (
    <PageBoundary query={release} title={componentLabel(component)} parent={parent} rows={6}>
      {(data) => <Content release={data} name={component} />}
    </PageBoundary>
  );
}

function Content({ release, name }: { release: Release; name: string }) {
  const query = useQuery(importanceQuery(release.slug));
  const text = COMPONENT_TEXTS[name];
  return (
    <Page
      title={componentLabel(name)}
      parent={{ to: `/releases/${release.slug}/importance`, label: "Components of importance" }}
      width="wide"
      intro={text?.definition ?? "There is no such component of importance."}
    >
      {text && (
        <QueryBoundary query={query} skeleton={<SkeletonRows rows={8} height={44} />}>
          {({ components }) => {
            const component = components.find((one) => one.name === name);
            return component
              ? <div className={styles.sections}><p>{text.computed}</p><Spread component={component} unit={text.unit} /><TopLinks release={release} name={name} unit={text.unit} /></div>
              : <EmptyState>This release lacks the component. {text.missing}</EmptyState>;
          }}
        </QueryBoundary>
      )}
    </Page>
  );
}

function Spread({ component: { bins, links, ties, less_is_more: lessIsMore }, unit }: { component: ImportanceComponent; unit: string }) {
  const most = Math.max(1, ...bins.map((bin) => bin.links));
  return (
    <section aria-labelledby="spread">
      <h2 id="spread">Distribution</h2>
      <p role="status">
        {formatPlural(links, "link has", "links have")} it; {formatPlural(ties, "link shares", "links share")} a rank with others. The {lessIsMore ? "lowest" : "highest"} value ranks highest.
      </p>
      {bins.length === 0
        ? <p className={styles.note}>This release stores percentile ranks alone, without the values.</p>
        : (
          <DataTable label="Links by value" minWidth={320} columns={[`Value, ${unit}`, { label: "Links", isNumeric: true }, { label: <span className="visually-hidden">Bar</span>, key: "bar" }]}>
            {bins.map(({ low, high, links: count }) => (
              <tr key={low}>
                <th scope="row" className="number">{valueText(low)} to {valueText(high)}</th>
                <td data-numeric className="number">{formatCount(count)}</td>
                <td className={styles.barCell} aria-hidden>{count > 0 && <span style={{ width: formatPercent(count / most) }} />}</td>
              </tr>
            ))}
          </DataTable>
        )}
    </section>
  );
}

interface TopProps {
  release: Release;
  name: string;
  unit: string;
}

function TopLinks({ release, name, unit }: TopProps) {
  const query = useQuery(componentLinksQuery(release.slug, name));
  return (
    <section aria-labelledby="top-links">
      <h2 id="top-links">Links that it ranks highest</h2>
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={8} height={44} />}>
        {(links) => <LinkTable release={release} name={name} unit={unit} links={links} />}
      </QueryBoundary>
    </section>
  );
}

function LinkTable({ release, name, unit, links }: TopProps & { links: Discoveries }) {
  const heads = [`Value, ${unit}`, "Percentile", "Year", "Importance", "Predicted by"].map((label) => ({ label, isNumeric: true }));
  return (
    <>
      {links.results.length < links.total && <p className={styles.note}>{formatCount(links.results.length)} of {formatPlural(links.total, "link")}.</p>}
      <DataTable label="Links ranked highest" minWidth={720} folds columns={["Link", ...heads]}>
        {links.results.map((one) => (
          <tr key={one.item}>
            <th scope="row"><Entity release={release} id={one.subject} name={one.subject_name} /> and <Entity release={release} id={one.object} name={one.object_name} /></th>
            <td data-numeric className="number">{valueText(one.component_values[name])}</td>
            <td data-numeric className="number">{formatPercent(one.components[name] ?? 0)}</td>
            <td data-numeric className="number">{one.year}</td>
            <td data-numeric className="number">{one.importance === null ? "none" : one.importance.toFixed(2)}</td>
            <td data-numeric className="number">{predictedText(one, links.entries)}</td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

const predictedText = ({ foreseen_by: who }: Discovery, entries: number) => (entries === 0 ? "no entries" : `${who.length} of ${entries}`);

function Entity({ release: { graph }, id, name }: { release: Release; id: string; name: string }) {
  const shown = <bdi>{name || id}</bdi>;
  return graph ? <Link to={entityUrl({ slug: graph.slug, snapshot: null, until: null }, id)}>{shown}</Link> : shown;
}
