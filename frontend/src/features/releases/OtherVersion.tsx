import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { RELEASE_STATES } from "@/domains/evaluation/labels";
import { releaseUrl, type Release } from "@/domains/evaluation/queries";
import { readQuery } from "@/lib/readQuery";
import { FIELD_LABELS, fieldsOf, type ReleaseFields } from "./releaseFields";
import styles from "./Releases.module.css";

interface Props {
  /** The release as it was before the fields were edited. */
  read: Release;
  fields: ReleaseFields;
  onLoad: (newer: Release) => void;
  onOverwrite: (newer: Release) => void;
}

/** Somebody else saved the release meanwhile: what they changed, and both ways on. */
export function OtherVersion({ read, fields, onLoad, onOverwrite }: Props) {
  const newer = useQuery(readQuery<Release>(["releases", read.slug, "newer"], releaseUrl(read.slug), { staleTime: 0, gcTime: 0 }));
  return (
    <Notice tone="warn">
      <p>Somebody else changed this release while you edited it. Your text is still here.</p>
      <QueryBoundary query={newer} skeleton={<SkeletonRows rows={2} />}>
        {(release) => (
          <>
            <div className={styles.tools}>
              <Button onPress={() => onLoad(release)}>Discard mine and load theirs</Button>
              <Button onPress={() => onOverwrite(release)}>Save my changes over theirs</Button>
            </div>
            <Differences before={read} after={release} own={fields} />
          </>
        )}
      </QueryBoundary>
    </Notice>
  );
}

const FIELDS = Object.keys(FIELD_LABELS) as (keyof ReleaseFields)[];

function Differences({ before, after, own }: { before: Release; after: Release; own: ReleaseFields }) {
  const [old, theirs] = [fieldsOf(before), fieldsOf(after)];
  const changed = FIELDS.filter((field) => old[field] !== theirs[field]);
  if (changed.length === 0) return <p>Its texts are the same. Its state is now: {RELEASE_STATES[after.state]}.</p>;
  return (
    <DataTable label="What was changed meanwhile" minWidth={520} folds columns={["Field", "Theirs", "Yours"]}>
      {changed.map((field) => (
        <tr key={field}>
          <th scope="row">{FIELD_LABELS[field]}</th>
          <td className={styles.written}>{theirs[field] || "empty"}</td>
          {own[field] === old[field] ? <td className={styles.quiet}>unchanged</td> : <td className={styles.written}>{own[field] || "empty"}</td>}
        </tr>
      ))}
    </DataTable>
  );
}
