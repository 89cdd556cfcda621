import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Fact, Facts } from "@/components/Facts";
import { cutoffText, PARTITIONS, trackLabel } from "@/domains/evaluation/labels";
import { tracksQuery, type Release } from "@/domains/evaluation/queries";
import { formatCount, formatFullDate, formatPercent } from "@/lib/format";
import styles from "./Releases.module.css";

export function ReleaseFacts({ release }: { release: Release }) {
  const track = useQuery(tracksQuery).data?.find(({ slug }) => slug === release.track);
  const { graph, items, queries, queries_per_day: perDay } = release;
  return (
    <section className={styles.section} aria-label="What this release is">
      <Facts className={styles.facts}>
        <Fact name="Track">{track ? trackLabel(track) : release.track}</Fact>
        <Fact name="Evaluator version">{release.evaluator_version}</Fact>
        <Fact name="Graph">{graph ? <Link to={`/explore/${graph.slug}`}>{graph.name}, version {graph.version}</Link> : "none"}</Fact>
        {(release.partition || release.has_several_partitions) && <Fact name="Partition">{partitionText(release)}</Fact>}
        <Fact name="Items">{formatCount(items.dev ?? 0)} dev, {formatCount(items.test ?? 0)} test</Fact>
        <Fact name="Split">{formatPercent(release.test_share)} of the groups for testing, seed {release.seed}</Fact>
        <Fact name="Queries of a person">{formatCount(queries)}, {formatCount(perDay)} within a day</Fact>
        {release.cutoff !== null && <Fact name="Cut-off">{cutoffText(release.cutoff)}. Models and tools are shown nothing later.</Fact>}
        <Fact name="Opens">{dateText(release.opens_at)}</Fact>
        <Fact name="Closes">{dateText(release.closes_at)}</Fact>
        <Fact name="Entries">{formatCount(release.entries)}</Fact>
        <Fact name="Licence">{release.licence || "not stated"}</Fact>
        <Fact name="Frozen">{formatFullDate(release.created_at)}</Fact>
        <Fact name="Digest" className={styles.digest}><span className="number">{release.digest}</span></Fact>
      </Facts>
    </section>
  );
}

function partitionText({ partition }: Release): string {
  return partition ? PARTITIONS[partition] ?? partition : "several: items of one give answers of another away";
}

function dateText(iso: string | null): string {
  return iso ? formatFullDate(iso) : "no date";
}
