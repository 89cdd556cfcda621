import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useRef } from "react";
import { Link, useSearchParams } from "react-router";
import { ErrorTable, errorRows } from "@/components/FaultTable";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { LoadError } from "@/components/QueryBoundary";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded, jobListKey } from "@/domains/jobs/jobs";
import { useJob, useJobs } from "@/domains/jobs/useJob";
import { errorMessage, fieldErrors, fieldMessage } from "@/lib/errorMessages";
import { formatDateTime } from "@/lib/format";
import { useMutation } from "@/lib/useMutation";
import { graphsQuery } from "../api";
import { createImport, IMPORT_KIND, toGraphImport, type GraphImportRequest, type ImportJob, type GraphImport } from "./api";
import styles from "./GraphImport.module.css";
import { GraphImportForm } from "./GraphImportForm";
import { GraphImportResult } from "./GraphImportResult";
import { IMPORT_STATE_LABELS } from "./labels";

/** Files become a graph, or a list of why they do not; the address names the import under way. */
export function GraphImportPage() {
  const [params, setParams] = useSearchParams();
  const id = params.get("import");
  const uploadMutation = useMutation({
    meta: { isLong: true },
    mutationFn: createImport,
    onSuccess: ({ id: made }) => setParams({ import: made }, { replace: true }),
  });
  const send = (wish: GraphImportRequest) => {
    setParams({}, { replace: true });
    uploadMutation.mutate(wish);
  };
  return (
    <Page
      title="Import a graph"
      parent={{ to: "/explore", label: "Explore" }}
      width="wide"
      intro="The files become one immutable version of a graph. To add a version to your own graph, enter its name."
    >
      <GraphImportForm onSend={send} isSending={uploadMutation.isPending} fault={fieldMessage(uploadMutation.error, "name")} />
      {uploadMutation.isError && <ImportErrors error={uploadMutation.error} />}
      {id && <RunningImport key={id} id={id} isOwn={uploadMutation.data?.id === id} />}
      <EarlierImports current={id} />
    </Page>
  );
}

function ImportErrors({ error }: { error: unknown }) {
  const faults = fieldErrors(error);
  return (
    <>
      <Notice tone="bad"><p>{errorMessage(error)} Your entries are still in the form.</p></Notice>
      {faults.length > 0 && <ErrorTable title="What is wrong" rows={errorRows(faults)} />}
    </>
  );
}

/** The import named in the address, until and after its end. */
function RunningImport({ id, isOwn }: { id: string; isOwn: boolean }) {
  const queries = useQueryClient();
  const watched = useJob<ImportJob>(id);
  const graphImport = watched.data && toGraphImport(watched.data);
  const isOver = watched.data && hasEnded(watched.data);
  const [isFollowed, setFollowed] = useState(false);
  if (isOver === false && !isFollowed) setFollowed(true);
  useEffect(() => {
    if (!isOver) return;
    void queries.invalidateQueries({ queryKey: graphsQuery.queryKey });
    void queries.invalidateQueries({ queryKey: jobListKey(IMPORT_KIND) });
  }, [queries, isOver]);
  if (watched.isError && !graphImport) {
    return <LoadError error={watched.error} onRetry={() => void watched.refetch()} isBusy={watched.isFetching} />;
  }
  if (!graphImport) return <div aria-busy="true" />;
  return (
    <>
      {watched.isError && <Notice tone="warn">The server does not answer at the moment. The import continues.</Notice>}
      {isOver ? <GraphImportResult of={graphImport} isFollowed={isFollowed} /> : <GraphImportProgress graphImport={graphImport} isOwn={isOwn} />}
    </>
  );
}

function EarlierImports({ current }: { current: string | null }) {
  const imports = useJobs<ImportJob>(IMPORT_KIND);
  const others = (imports.data ?? []).filter(({ id }) => id !== current).map(toGraphImport);
  if (others.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="earlier">
      <h2 id="earlier">Earlier imports</h2>
      <ul className={styles.earlier}>
        {others.map(({ id, name, state, dry_run: isDryRun, created_at: at }) => (
          <li key={id}>
            <Link to={`/explore/import?import=${id}`}>{name}</Link>
            <span className={styles.quiet}>
              {isDryRun ? "dry run, " : ""}{IMPORT_STATE_LABELS[state].toLowerCase()}, {formatDateTime(at)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ProgressProps {
  graphImport: GraphImport;
  /** Sent from this page just now. */
  isOwn: boolean;
}

/** The progress of an import; the user may leave the page meanwhile. */
function GraphImportProgress({ graphImport: { job, name, dry_run: isDryRun }, isOwn }: ProgressProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // It stands under a long form: whoever has just sent it is led there.
    if (isOwn) heading.current?.focus();
  }, [isOwn]);
  return (
    <section className={styles.section} aria-labelledby="progress">
      <h2 id="progress" ref={heading} tabIndex={-1}>{isDryRun ? "Trying" : "Importing"} {name}</h2>
      <JobProgress
        job={job}
        title={`import of ${name}`}
        cancelWarning={`${isDryRun ? "Nothing was imported, so nothing changes." : "Nothing of this import is kept. Earlier versions stay as they are."} To start again, upload the files again.`}
      />
      <p className={styles.quiet}>The import continues when you leave this page. Its address leads back to it.</p>
    </section>
  );
}
