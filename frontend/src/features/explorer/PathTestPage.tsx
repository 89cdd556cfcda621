import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { Button } from "@/components/Button";
import { CopyLink } from "@/components/CopyLink";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SelectField } from "@/components/SelectField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { EntityChip } from "@/domains/graphs/EntityChip";
import { EntityCombobox } from "@/domains/graphs/EntityCombobox";
import { pathsUrl, pathTestUrl } from "@/domains/graphs/graphUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded } from "@/domains/jobs/jobs";
import { useJob } from "@/domains/jobs/useJob";
import { useCurrentUser } from "@/lib/currentUser";
import { errorMessage } from "@/lib/errorMessages";
import { formatCount } from "@/lib/format";
import { useMutation } from "@/lib/useMutation";
import { metapathTestQuery, startMetapathTest, type MetapathChoice, type MetapathTest } from "./api";
import { ExplorerFrame } from "./ExplorerFrame";
import styles from "./Paths.module.css";
import { PathTestResults } from "./PathTestResults";
import { kindLabel } from "./pathWords";
import { DRAWS, usePathTest, type PathTestState } from "./usePathTest";

const HOPS = ["1", "2", "3"].map((value) => ({ value, label: value === "1" ? "1 hop" : `${value} hops` }));
const DRAW_OPTIONS = DRAWS.map((value) => ({ value: String(value), label: formatCount(value) }));
const POLL_MS = 5_000;

/** Whether two entities have more paths of a kind than in graphs where every entity has as many links. */
export function PathTestPage() {
  return <ExplorerFrame current="Path test">{() => <PathTestForm />}</ExplorerFrame>;
}

function PathTestForm() {
  const where = useGraphParams();
  const { choice, set } = usePathTest();
  const { from, to } = choice;
  return (
    <Page
      title="Path test"
      parent={{ to: from ? pathsUrl(where, from, to ? [to] : []) : pathsUrl(where, ""), label: "Paths" }}
      width="wide"
      intro="Compare the paths between two entities with those in permuted graphs, where every entity has as many links."
    >
      <div className={styles.choices}>
        <div className={styles.ends}>
          <End label="From" id={from} onChange={(id) => set({ from: id, kind: null })} />
          <End label="To" id={to} onChange={(id) => set({ to: id, kind: null })} />
        </div>
        <TestOptions choice={choice} set={set} />
        {where.until && <p className={styles.quiet}>The test reads the whole graph, whatever year is chosen.</p>}
      </div>
      {from && to
        ? from === to
          ? <EmptyState>Both ends are the same entity. Choose another one.</EmptyState>
          : <PairTest key={`${from} ${to}`} choice={{ ...choice, from, to }} />
        : <EmptyState>Choose two entities: a drug and a disease, for example.</EmptyState>}
    </Page>
  );
}

function End({ label, id, onChange }: { label: string; id: string | null; onChange: (id: string | null) => void }) {
  const where = useGraphParams();
  return (
    <div className={styles.end} role="group" aria-label={label}>
      {id ? (
        <>
          <span className={styles.label}>{label}</span>
          <EntityChip id={id} onRemove={() => onChange(null)} />
        </>
      ) : <EntityCombobox graphRef={where} label={label} onPick={(picked) => onChange(picked.id)} />}
    </div>
  );
}

interface OptionsProps {
  choice: PathTestState;
  set: ReturnType<typeof usePathTest>["set"];
}

function TestOptions({ choice: { hops, draws, metapath }, set }: OptionsProps) {
  return (
    <div className={styles.switches}>
      {metapath === null
        ? (
          <div className={styles.labelled}>
            <span className={styles.label} aria-hidden>Longest path</span>
            <SegmentedControl label="Longest path" options={HOPS} value={String(hops)} onChange={(value) => set({ hops: value })} />
          </div>
        )
        : <p>Only paths {kindLabel(metapath)}. <Button variant="quiet" onPress={() => set({ kind: null })}>Test all kinds</Button></p>}
      <SelectField label="Permuted graphs" options={DRAW_OPTIONS} value={String(draws)} onChange={(value) => set({ draws: value })} />
    </div>
  );
}

/** The result, the running test, or the button that starts it. */
function PairTest({ choice }: { choice: MetapathChoice }) {
  const where = useGraphParams();
  const test = useQuery({
    ...metapathTestQuery(where, choice),
    refetchInterval: ({ state }) => (state.data?.job && !hasEnded(state.data.job) ? POLL_MS : false),
  });
  return (
    <QueryBoundary query={test} skeleton={<SkeletonRows rows={4} height={56} />}>
      {(read) => (
        <>
          {read.result ? <PathTestResults test={read} result={read.result} /> : <PendingTest test={read} choice={choice} />}
          {read.result && <p><CopyLink url={() => permanentUrl(read)} /></p>}
        </>
      )}
    </QueryBoundary>
  );

  /** With the version, so that the link shows the same figures after a later one. */
  function permanentUrl({ source, target, metapath, hops, draws, seed, snapshot }: MetapathTest): string {
    const params = { kind: metapath, hops: String(hops), draws: String(draws), seed: String(seed) };
    return window.location.origin + pathTestUrl({ ...where, snapshot, until: null }, source.id, target.id, params);
  }
}

function PendingTest({ test: { job }, choice }: { test: MetapathTest; choice: MetapathChoice }) {
  const user = useCurrentUser();
  if (user === undefined) return <div aria-busy="true"><SkeletonRows rows={4} height={56} /></div>;
  if (job && !hasEnded(job)) return user ? <RunningTest id={job.id} /> : <Notice><p>This test is waiting or running. Its result appears here.</p></Notice>;
  return (
    <>
      {job && <Notice tone="warn"><p>{job.error?.detail || "The test ended without a result. Start it again."}</p></Notice>}
      <StartTest choice={choice} isSignedIn={user !== null} />
    </>
  );
}

function RunningTest({ id }: { id: string }) {
  const job = useJob(id).data;
  const queries = useQueryClient();
  const isOver = job !== undefined && hasEnded(job);
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes("metapath-test") });
  }, [isOver, queries]);
  if (!job || isOver) return <div aria-busy="true"><SkeletonRows rows={4} height={56} /></div>;
  return <JobProgress job={job} title="Path test" cancelWarning="Its progress is lost." />;
}

function StartTest({ choice, isSignedIn }: { choice: MetapathChoice; isSignedIn: boolean }) {
  const where = useGraphParams();
  const queries = useQueryClient();
  const { pathname, search } = useLocation();
  const start = useMutation({
    mutationFn: () => startMetapathTest(where, choice),
    onSuccess: () => queries.invalidateQueries({ queryKey: metapathTestQuery(where, choice).queryKey }),
  });
  if (!isSignedIn) {
    return (
      <EmptyState action={<Link to={`/sign-in?next=${encodeURIComponent(pathname + search)}`}>Sign in</Link>}>
        Nobody has made this test yet. Sign in to start it.
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState action={<Button variant="primary" onPress={() => start.mutate()} isPending={start.isPending}>Start the test</Button>}>
        Nobody has made this test yet. On a large graph it takes minutes to hours.
      </EmptyState>
      {start.isError && <Notice tone="bad"><p>{errorMessage(start.error)}</p></Notice>}
    </>
  );
}
