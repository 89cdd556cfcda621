import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { Problem } from "@/api/client";
import { FaultTable, rowsOf } from "@/components/FaultTable";
import { Failure } from "@/components/Loadable";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { moment } from "@/lib/format";
import { sentenceOf } from "@/lib/problems";
import { graphsQuery } from "../api";
import { hasEnded, importQuery, importsQuery, sendImport, type Wish } from "./api";
import { ImportForm } from "./ImportForm";
import styles from "./Importing.module.css";
import { Progress } from "./Progress";
import { Result } from "./Result";
import { STATES } from "./words";

/** Files become a graph, or a list of why they do not; the address names the import under way. */
export function ImportPage() {
  const [params, setParams] = useSearchParams();
  const id = params.get("import");
  const sending = useMutation({
    mutationFn: sendImport,
    onSuccess: ({ id: made }) => setParams({ import: made }, { replace: true }),
  });
  const send = (wish: Wish) => {
    setParams({}, { replace: true });
    sending.mutate(wish);
  };
  return (
    <Page
      title="Import a graph"
      parent={{ to: "/explore", label: "Explore" }}
      width="wide"
      lead="Files become one immutable version of a graph. The name of a graph of yours adds a version to it; nobody sees anything before all of it is there."
    >
      <ImportForm onSend={send} isSending={sending.isPending} fault={nameFault(sending.error)} />
      {sending.isError && <Refusal error={sending.error} />}
      {id && <Watched key={id} id={id} isOwn={sending.data?.id === id} />}
      <Earlier current={id} />
    </Page>
  );
}

function nameFault(error: unknown): string | undefined {
  return error instanceof Problem ? error.body.errors.find(({ place }) => place === "name")?.message : undefined;
}

function Refusal({ error }: { error: unknown }) {
  const faults = error instanceof Problem ? error.body.errors : [];
  return (
    <>
      <Notice tone="bad"><p>{sentenceOf(error)} What you chose is still chosen.</p></Notice>
      {faults.length > 0 && (
        <FaultTable title="What is wrong" rows={rowsOf(faults)} />
      )}
    </>
  );
}

/** The import named in the address, until and after its end. */
function Watched({ id, isOwn }: { id: string; isOwn: boolean }) {
  const queries = useQueryClient();
  const watched = useQuery(importQuery(id));
  const state = watched.data?.state;
  const [isFollowed, setFollowed] = useState(false);
  if (state && !hasEnded(state) && !isFollowed) setFollowed(true);
  useEffect(() => {
    if (!state || !hasEnded(state)) return;
    void queries.invalidateQueries({ queryKey: graphsQuery.queryKey });
    void queries.invalidateQueries({ queryKey: importsQuery.queryKey, exact: true });
  }, [queries, state]);
  if (watched.isError && !watched.data) {
    return <Failure error={watched.error} onRetry={() => void watched.refetch()} busy={watched.isFetching} />;
  }
  if (!watched.data) return <div aria-busy="true" />;
  return (
    <>
      {watched.isError && <Notice tone="warn">The server does not answer at the moment. The import goes on without this page.</Notice>}
      {hasEnded(watched.data.state) ? <Result of={watched.data} isFollowed={isFollowed} /> : <Progress of={watched.data} isOwn={isOwn} />}
    </>
  );
}

function Earlier({ current }: { current: string | null }) {
  const imports = useQuery(importsQuery);
  const others = (imports.data ?? []).filter(({ id }) => id !== current);
  if (others.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="earlier">
      <h2 id="earlier">Earlier imports</h2>
      <ul className={styles.earlier}>
        {others.map(({ id, name, state, dry_run: isDryRun, created_at: at }) => (
          <li key={id}>
            <Link to={`/explore/import?import=${id}`}>{name}</Link>
            <span className={styles.quiet}>
              {isDryRun ? "dry run, " : ""}{STATES[state].toLowerCase()}, {moment(at)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
