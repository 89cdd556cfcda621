import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import type { CurrentUser } from "@/api/contract";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { ErrorTable } from "@/components/FaultTable";
import { FilePicker } from "@/components/FilePicker";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { canOpen } from "@/domains/accounts/permissions";
import { GraphFrame } from "@/domains/graphs/GraphFrame";
import type { GraphRef } from "@/domains/graphs/graphQueries";
import { rnsUrl } from "@/domains/graphs/rnsUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { hasEnded, jobListKey } from "@/domains/jobs/jobs";
import { useJobs } from "@/domains/jobs/useJob";
import { useCurrentUser } from "@/lib/currentUser";
import { errorMessage } from "@/lib/errorMessages";
import { formatBytes, formatCount, formatPlural } from "@/lib/format";
import { useMutation } from "@/lib/useMutation";
import { OptionFields } from "../ComputationDetails";
import { DEFAULTS, readOptions, type Options } from "../options";
import { uploadSetsFile, toComputations, type ComputationJob } from "./api";
import { ComputationList } from "./ComputationList";
import styles from "./Jobs.module.css";
import { quotaText } from "./labels";
import { EXAMPLE_FILE, MAX_FILE_BYTES, inspectSetsFile, DAILY_SET_QUOTA } from "./setsFile";

export function SetsFilePage() {
  return <GraphFrame current="Score a file">{(graph) => <SetsFileScoring graphName={graph.name} />}</GraphFrame>;
}

function SetsFileScoring({ graphName }: { graphName: string }) {
  const where = useGraphParams();
  const me = useCurrentUser();
  const may = me && (me.roles.researcher || canOpen(me, "coordinator"));
  return (
    <Page
      title="Serendipity of many sets"
      parent={{ to: rnsUrl(where), label: "Serendipity of two sets" }}
      width="wide"
      intro={`A file of sets of ${graphName} is scored line by line. You can leave the page while it runs.`}
    >
      {me !== undefined && !may && <NoAccess me={me} />}
      <FormatHelp />
      {may && <OwnSetsFiles where={where} me={me} />}
    </Page>
  );
}

function FormatHelp() {
  return (
    <section className={styles.section} aria-labelledby="format">
      <h2 id="format">The file</h2>
      <p>
        One JSON object on each line, with the identifiers that this graph has. An <code>id</code> is optional and is returned
        with the scores. At most {formatBytes(MAX_FILE_BYTES)}, {formatCount(DAILY_SET_QUOTA)} sets in 24 hours, one file at a time.
      </p>
      <pre className={styles.code}>{EXAMPLE_FILE}</pre>
      <p className={styles.quiet}>
        The results have R, N, MI and S of each line, and RNS with a third of the weight each. A line that cannot be scored
        returns an error; the others are scored.
      </p>
    </section>
  );
}

function NoAccess({ me }: { me: CurrentUser | null }) {
  const { pathname, search } = useLocation();
  if (me) return <EmptyState>Only researchers and coordinators can score files. Ask an administrator for the researcher role.</EmptyState>;
  return (
    <EmptyState action={<Link to={`/sign-in?next=${encodeURIComponent(pathname + search)}`}>Sign in</Link>}>
      Only researchers and coordinators can score files. Sign in first.
    </EmptyState>
  );
}

function OwnSetsFiles({ where, me }: { where: GraphRef; me: CurrentUser }) {
  const [params] = useSearchParams();
  const [options, setOptions] = useState<Options>({ ...DEFAULTS, ...readOptions(params) });
  const [files, setFiles] = useState<File[]>([]);
  const jobs = useJobs<ComputationJob>();
  const queries = useQueryClient();
  const sending = useMutation({
    meta: { isLong: true },
    mutationFn: (file: File) => uploadSetsFile(where, file, options),
    onSuccess: (job) => {
      setFiles([]);
      queries.setQueryData<ComputationJob[]>(jobListKey(), (before = []) => [job, ...before.filter(({ id }) => id !== job.id)]);
      void queries.invalidateQueries({ queryKey: jobListKey() });
    },
  });
  const own = toComputations(jobs.data).filter(({ kind, options: { actor } }) => kind === "scoring" && actor === me.id);
  const here = own.filter(({ graph }) => graph === where.slug);
  const choose = (chosen: File[]) => {
    sending.reset();
    setFiles(chosen);
  };
  return (
    <>
      <section className={styles.form} aria-labelledby="send">
        <h2 id="send">Score a file</h2>
        <FilePicker isSingle files={files} onChange={choose} label="Drop the file here" hint={quotaText(usedToday(own), DAILY_SET_QUOTA)} />
        <details className={styles.more}>
          <summary>How it is computed</summary>
          <OptionFields parameters={options} onChoose={(name, value) => setOptions({ ...options, [name]: value })} />
        </details>
        <SelectedFile file={files[0]} onSend={(file) => sending.mutate(file)} isSending={sending.isPending} isBusy={own.some(({ job }) => !hasEnded(job))} />
        {sending.isError && <Notice tone="bad"><p>The file was not sent: {errorMessage(sending.error)} It is still selected.</p></Notice>}
      </section>
      {jobs.isError && !jobs.data && <Notice tone="warn"><p>Your earlier files could not be loaded: {errorMessage(jobs.error)}</p></Notice>}
      {here.length > 0 && (
        <section className={styles.section} aria-labelledby="files">
          <h2 id="files">Your files</h2>
          <ComputationList all={here} nameOfSet={() => null} current={sending.data?.id ?? null} />
        </section>
      )}
    </>
  );
}

const QUOTA_PERIOD_MS = 86_400_000;

/** Counted like the server does: by upload time, whatever the outcome. */
function usedToday(own: ReturnType<typeof toComputations>): number {
  const since = Date.now() - QUOTA_PERIOD_MS;
  const sets = own.filter(({ job }) => Date.parse(job.created_at) > since).map(({ options }) => options.sets);
  return sets.reduce<number>((sum, one) => sum + (typeof one === "number" ? one : 0), 0);
}

interface ChosenProps {
  file: File | undefined;
  onSend: (file: File) => void;
  isSending: boolean;
  /** Whether another file of the user is being scored. */
  isBusy: boolean;
}

/** A preview of the file before the upload. It needs one line without an error. */
function SelectedFile({ file, onSend, isSending, isBusy }: ChosenProps) {
  const inspection = useQuery({
    queryKey: ["sets-file", file?.name, file?.size, file?.lastModified],
    queryFn: () => inspectSetsFile(file as File),
    enabled: file !== undefined,
    networkMode: "always",
  });
  const preview = file ? inspection.data : undefined;
  const valid = preview ? preview.sets - preview.failed : 0;
  const isTooLarge = file !== undefined && file.size > MAX_FILE_BYTES;
  const isReady = file !== undefined && valid > 0 && !isTooLarge && !isSending && !isBusy;
  return (
    <>
      {isTooLarge && <Notice tone="bad"><p>This file has {formatBytes(file.size)}; at most {formatBytes(MAX_FILE_BYTES)} is allowed. Split it into several files.</p></Notice>}
      {inspection.isError && <Notice tone="bad"><p>This file could not be read. Choose it again.</p></Notice>}
      {preview && !isTooLarge && preview.sets === 0 && <Notice tone="bad"><p>This file has no sets.</p></Notice>}
      {preview && preview.failed > 0 && (
        <>
          <Notice tone={valid > 0 ? "warn" : "bad"}><p>{formatCount(preview.failed)} of {formatPlural(preview.sets, "line")} cannot be scored. {valid > 0 ? "The others can." : "Correct the file and choose it again."}</p></Notice>
          <ErrorTable
            title={preview.errors.length < preview.failed ? `Errors, the first ${preview.errors.length}` : "Errors"}
            rows={preview.errors.map(({ line, message }) => ({ location: `line ${formatCount(line)}`, message, detail: "" }))}
            level={3}
          />
        </>
      )}
      {isBusy && <p className={styles.quiet}>Your file is being scored. You can send the next one when it has finished.</p>}
      <div>
        <Button variant="primary" size="large" isDisabled={!isReady} onPress={() => file && onSend(file)}>
          {isSending ? "Sending the file" : valid > 0 ? `Score ${formatPlural(valid, "set")}` : "Score the file"}
        </Button>
      </div>
    </>
  );
}
