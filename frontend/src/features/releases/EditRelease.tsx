import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DialogForm } from "@/components/DialogForm";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { releaseUrl, type Release } from "@/domains/evaluation/queries";
import { errorMessage, hasErrorCode } from "@/lib/errorMessages";
import { readQuery } from "@/lib/readQuery";
import { DescriptionFields } from "./DescriptionFields";
import { useChangeRelease } from "./mutations";
import { OtherVersion } from "./OtherVersion";
import { areComplete, changesOf, fieldsOf } from "./releaseFields";
import styles from "./Releases.module.css";

const STALE = "stale_version";

interface Props {
  onClose: () => void;
}

/** What organisers write about a release, its dates and its queries. */
export function EditRelease({ slug, onClose }: Props & { slug: string }) {
  // Read whenever the form opens: the server refuses a change of an older version.
  const query = useQuery(readQuery<Release>(["releases", slug, "edited"], releaseUrl(slug), { staleTime: 0, gcTime: 0 }));
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={6} height={60} />}>
      {(release) => <EditForm release={release} onClose={onClose} />}
    </QueryBoundary>
  );
}

function EditForm({ release, onClose }: Props & { release: Release }) {
  // As it was when the form opened, though the query may be read again meanwhile.
  const [read, setRead] = useState(release);
  const [fields, setFields] = useState(() => fieldsOf(release));
  const change = useChangeRelease(release.slug);
  const isStale = hasErrorCode(change.error, STALE);
  const save = (version: number) => change.mutate({ ...changesOf(read, fields), version }, { onSuccess: onClose });
  const load = (newer: Release) => {
    setRead(newer);
    setFields(fieldsOf(newer));
    change.reset();
  };
  const overwrite = ({ version }: Release) => {
    setRead({ ...read, version });
    save(version);
  };
  return (
    <DialogForm
      onSubmit={() => save(read.version)}
      onCancel={onClose}
      submitLabel="Save"
      busyLabel="Saving"
      isReady={areComplete(fields) && !isStale}
      mutation={change}
      toMessage={(error) => (hasErrorCode(error, STALE) ? null : errorMessage(error))}
    >
      <p className={styles.quiet}>Items, answers, split and digest never change.</p>
      <DescriptionFields fields={fields} onChange={setFields} error={change.error} />
      {isStale && <OtherVersion read={read} fields={fields} onLoad={load} onOverwrite={overwrite} />}
    </DialogForm>
  );
}
