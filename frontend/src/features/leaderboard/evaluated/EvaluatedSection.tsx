import type { ReactNode } from "react";
import { ButtonLink } from "@/components/Button";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SelectField } from "@/components/SelectField";
import { PARTITIONS, RELEASE_STATES } from "@/domains/evaluation/labels";
import type { Release } from "@/domains/evaluation/queries";
import { useCurrentUser } from "@/lib/currentUser";
import { formatCount, formatLongDate } from "@/lib/format";
import { useUrlParams, type UrlChanges, type UrlUpdate } from "@/lib/useUrlParams";
import { readBoardView } from "./boardView";
import styles from "./Evaluated.module.css";
import { ReleaseBoard } from "./ReleaseBoard";
import { useBoard } from "./useBoard";

interface Props {
  releases: Release[];
  /** Whose board is shown. */
  release: Release | undefined;
  /** What follows it on the page; comes with the board, whose height is not known before. */
  children: ReactNode;
}

/** What was evaluated here, by release; printed results never share a table with it. */
export function EvaluatedSection({ releases, release, children }: Props) {
  if (release) return <EvaluatedRelease key={release.slug} release={release} releases={releases}>{children}</EvaluatedRelease>;
  return (
    <>
      <p className={styles.quiet}>Nothing of this track is evaluated here yet: no release is open for predictions.</p>
      {children}
    </>
  );
}

function EvaluatedRelease({ release, releases, children }: Props & { release: Release }) {
  const me = useCurrentUser();
  const [, change] = useUrlParams();
  const state = useBoard(release);
  const isSubmitter = !me || me.roles.researcher || me.roles.administrator; // a visitor signs in first
  return (
    <>
      <section className={styles.section} aria-labelledby="evaluated-heading">
        <div className={styles.head}>
          <h2 id="evaluated-heading">Evaluated here</h2>
          {isSubmitter && release.state === "open" && <ButtonLink to={`/submissions/new?release=${release.slug}`}>Submit predictions</ButtonLink>}
        </div>
        <article className={styles.release} aria-label={release.name}>
          <ReleaseSwitch release={release} releases={releases} onChange={change} />
          <ReleaseBoard release={release} state={state} />
        </article>
      </section>
      {!state.isPending && children}
    </>
  );
}

/** What belongs to another release or split does not stay in the address. */
const RESET: UrlChanges = { at: null, from: null, compare: [], measure: null };
const SPLITS = [{ value: "test", label: "Test items" }, { value: "dev", label: "Dev items" }] as const;

interface SwitchProps {
  release: Release;
  releases: Release[];
  onChange: (update: UrlUpdate) => void;
}

function ReleaseSwitch({ release, releases, onChange }: SwitchProps) {
  const [address] = useUrlParams();
  const { split } = readBoardView(address);
  return (
    <>
      <div className={styles.controls}>
        {releases.length > 1 ? (
          <SelectField
            label="Release"
            value={release.slug}
            options={releases.map(({ slug, name }) => ({ value: slug, label: name }))}
            onChange={(slug) => onChange({ ...RESET, release: slug })}
          />
        ) : <h3>{release.name}</h3>}
        {(release.items.dev ?? 0) > 0 && (
          <SegmentedControl
            label="Split"
            value={split}
            options={[...SPLITS]}
            onChange={(chosen) => onChange({ ...RESET, split: chosen === "dev" ? "dev" : null })}
          />
        )}
      </div>
      <p className={styles.quiet}>
        {formatCount(release.items[split] ?? 0)} {split} items, {RELEASE_STATES[release.state]}, since {formatLongDate(release.created_at)}
        {release.partition && `, partition: ${PARTITIONS[release.partition] ?? release.partition}`}
      </p>
      {release.has_several_partitions && <p className={styles.quiet}>An older release of several partitions. Items of one give answers of another away.</p>}
    </>
  );
}
