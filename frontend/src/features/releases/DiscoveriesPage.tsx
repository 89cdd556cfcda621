import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SelectField } from "@/components/SelectField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { releaseQuery, type Release } from "@/domains/evaluation/queries";
import { datedBy } from "@/domains/graphs/evidenceLabels";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { formatCount, formatPercent, formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import styles from "./Discoveries.module.css";
import { componentLabel } from "./importance/componentTexts";
import { discoveriesQuery, type Discoveries, type Discovery } from "./queries";
import { RocSection } from "./RocSection";

const MOST_NAMED = 6;
const MOST_ENTRIES = 100; // the server reads no more
const LINKS_AT_ONCE = 25;

/** Links that were first seen later, by how much they mattered, and which models predicted them. */
export function DiscoveriesPage() {
  const { slug = "" } = useParams();
  const release = useQuery(releaseQuery(slug));
  const parent = { to: `/releases/${slug}`, label: "Release" };
  return (
    <PageBoundary query={release} title="Discoveries" parent={parent} rows={6}>
      {(data) => <Content release={data} />}
    </PageBoundary>
  );
}

function Content({ release }: { release: Release }) {
  const [params, change] = useUrlParams();
  const year = /^\d{1,4}$/.test(params.get("year") ?? "") ? params.get("year") : null;
  const query = useQuery({ ...discoveriesQuery(release.slug, year), placeholderData: keepPreviousData });
  return (
    <Page
      title={year ? `Discovered in ${year} and mattered` : "Discovered later and mattered"}
      parent={{ to: `/releases/${release.slug}`, label: release.name }}
      width="wide"
      actions={<ButtonLink to={`/releases/${release.slug}/importance`}>Components of importance</ButtonLink>}
      intro="Links that were first seen after the cut-off. Importance is the mean percentile rank of its components among these links."
    >
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={8} height={72} />}>
        {(links) => (
          <>
            <div className={styles.tools}>
              <SelectField
                label="Year"
                value={year ?? ""}
                options={[{ value: "", label: "All years" }, ...Object.entries(links.years).map(([value, count]) => ({ value, label: `${value}, ${formatPlural(count, "link")}` }))]}
                onChange={(chosen) => change({ year: chosen || null })}
              />
              <p role="status">{statusText(links)}</p>
              {links.entries >= MOST_ENTRIES && <p className={styles.quiet}>Only the best {formatCount(MOST_ENTRIES)} entries of the board are listed.</p>}
            </div>
            {links.results.length === 0 && <EmptyState>No link was first seen in this year. Choose another one.</EmptyState>}
            <LinkList key={year} links={links} release={release} />
            {links.entries > 0 && <RocSection slug={release.slug} />}
          </>
        )}
      </QueryBoundary>
    </Page>
  );
}

function statusText({ results, total, split, entries }: Discoveries): string {
  const shown = results.length < total ? `${formatCount(results.length)} of ${formatPlural(total, "link")}` : formatPlural(total, "link");
  return `${shown}, ${split} items, ${formatPlural(entries, "entry", "entries")}.`;
}

/** The first links, and more on request: the curves stand below them. The first new link takes the focus. */
function LinkList({ links: { results, entries }, release }: { links: Discoveries; release: Release }) {
  const [shown, setShown] = useState(LINKS_AT_ONCE);
  const hidden = results.length - shown;
  return (
    <>
      <ol className={styles.list}>
        {results.slice(0, shown).map((one, at) => (
          <Row key={one.item} place={at + 1} discovery={one} release={release} entries={entries} isFirstNew={at > 0 && at === shown - LINKS_AT_ONCE} />
        ))}
      </ol>
      {hidden > 0 && <Button onPress={() => setShown(shown + LINKS_AT_ONCE)}>Show {formatCount(Math.min(hidden, LINKS_AT_ONCE))} more</Button>}
    </>
  );
}

interface RowProps {
  place: number;
  discovery: Discovery;
  release: Release;
  entries: number;
  isFirstNew: boolean;
}

function Row({ place, discovery: one, release, entries, isFirstNew }: RowProps) {
  return (
    <li className={styles.row} tabIndex={-1} ref={isFirstNew ? focusOn : undefined}>
      <div className={styles.pair}>
        <span className={`${styles.place} number`}>{place}</span>
        <h2>
          <Entity release={release} id={one.subject} name={one.subject_name} /> and <Entity release={release} id={one.object} name={one.object_name} />
        </h2>
        <p className={styles.quiet}>{one.subject_type} and {one.object_type}, first seen in <span className="number">{datedBy(one.year, one.date_source)}</span></p>
      </div>
      <dl className={styles.bars} aria-label="Importance">
        {one.importance !== null && <Bar name="Importance" value={one.importance} isMain />}
        {Object.entries(one.components).map(([name, value]) => <Bar key={name} name={componentLabel(name)} value={value} />)}
      </dl>
      <Foreseen discovery={one} entries={entries} />
    </li>
  );
}

function focusOn(element: HTMLElement | null): void {
  element?.focus();
}

function Entity({ release: { graph }, id, name }: { release: Release; id: string; name: string }) {
  const shown = <bdi>{name || id}</bdi>;
  return graph ? <Link to={entityUrl({ slug: graph.slug, snapshot: null, until: null }, id)}>{shown}</Link> : shown;
}

function Bar({ name, value, isMain = false }: { name: string; value: number; isMain?: boolean }) {
  return (
    <div className={isMain ? styles.main : undefined}>
      <dt>{name}</dt>
      <dd>
        <span className={styles.track} aria-hidden><span style={{ width: formatPercent(value) }} /></span>
        <span className="number">{value.toFixed(2)}</span>
      </dd>
    </div>
  );
}

/** An entry predicted a link if it scores it above all pairs that were drawn beside it. */
function Foreseen({ discovery: { foreseen_by: who }, entries }: { discovery: Discovery; entries: number }) {
  if (entries === 0) return null;
  if (who.length === 0) return <p className={styles.quiet}>No entry predicted it.</p>;
  const named = who.slice(0, MOST_NAMED);
  return (
    <div className={styles.foreseen}>
      <p>Predicted by {formatCount(who.length)} of {formatPlural(entries, "entry", "entries")}:</p>
      <ul>
        {named.map(({ submission, model, name }) => (
          <li key={submission}>{model ? <Link to={`/models/${model}`}>{name}</Link> : "an anonymous entry"}</li>
        ))}
        {who.length > named.length && <li className={styles.quiet}>and {formatCount(who.length - named.length)} more</li>}
      </ul>
    </div>
  );
}
