import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import type { Me } from "@/api/contract";
import { Button } from "@/components/Button";
import { Empty } from "@/components/Empty";
import { FaultTable } from "@/components/FaultTable";
import { FilePicker } from "@/components/FilePicker";
import { GraphFrame } from "@/components/graph/GraphFrame";
import { useWhere } from "@/components/graph/useWhere";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { mayOpen } from "@/lib/access";
import { bytes, count, plural } from "@/lib/format";
import { rnsPlace } from "@/lib/graphs/places";
import type { Where } from "@/lib/graphs/reading";
import { useMe } from "@/lib/me";
import { sentenceOf } from "@/lib/problems";
import { OptionFields } from "../HowComputed";
import { DEFAULTS, readOptions, type Options } from "../options";
import { hasEnded, sendSets, type Computation } from "./api";
import { ComputationList } from "./ComputationList";
import styles from "./Computing.module.css";
import { EXAMPLE, LARGEST, lookInto, QUOTA } from "./setsFile";
import { useComputations } from "./useComputations";
import { usedWords } from "./words";

/** Many sets of one's own, from a file, scored in the background. */
export function SetsFilePage() {
  return <GraphFrame>{(graph) => <Scoring graphName={graph.name} />}</GraphFrame>;
}

function Scoring({ graphName }: { graphName: string }) {
  const where = useWhere();
  const me = useMe();
  const may = me && (me.roles.researcher || mayOpen(me, "coordinator"));
  return (
    <Page
      title="Serendipity of many sets"
      parent={{ to: rnsPlace(where), label: "Serendipity of two sets" }}
      width="wide"
      lead={`A file of sets of ${graphName} is scored line by line, in the background.`}
    >
      <Format />
      {me !== undefined && !may && <NotYours me={me} />}
      {may && <OwnFiles where={where} me={me} />}
    </Page>
  );
}

function Format() {
  return (
    <section className={styles.section} aria-labelledby="format">
      <h2 id="format">The file</h2>
      <p>
        One JSON object on each line, with the identifiers that this graph has. An <code>id</code> is yours to choose and comes
        back beside the scores. At most {bytes(LARGEST)}, {count(QUOTA)} sets in 24 hours, one file at a time.
      </p>
      <pre className={styles.code}>{EXAMPLE}</pre>
      <p className={styles.quiet}>
        The results have R, N, MI and S of each line, and RNS with a third of the weight each. A line that cannot be scored is
        answered with what is wrong with it; the others are scored.
      </p>
    </section>
  );
}

function NotYours({ me }: { me: Me | null }) {
  const { pathname, search } = useLocation();
  if (me) return <Empty>Files are scored for researchers and coordinators. Your account is neither; an administrator can invite you as a researcher.</Empty>;
  return (
    <Empty action={<Link to={`/sign-in?next=${encodeURIComponent(pathname + search)}`}>Sign in</Link>}>
      Files are scored for researchers and coordinators who are signed in.
    </Empty>
  );
}

function OwnFiles({ where, me }: { where: Where; me: Me }) {
  const [params] = useSearchParams();
  const [options, setOptions] = useState<Options>({ ...DEFAULTS, ...readOptions(params) });
  const [files, setFiles] = useState<File[]>([]);
  const computations = useComputations();
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: (file: File) => sendSets(where, file, options),
    onSuccess: (made) => {
      setFiles([]);
      queries.setQueryData<Computation[]>(["computations"], (before = []) => [made, ...before.filter(({ id }) => id !== made.id)]);
      void queries.invalidateQueries({ queryKey: ["computations"] });
    },
  });
  const own = (computations.data ?? []).filter(({ kind, parameters }) => kind === "scoring" && parameters.actor === me.id);
  const here = own.filter(({ graph }) => graph === where.slug);
  const choose = (chosen: File[]) => {
    sending.reset();
    setFiles(chosen);
  };
  return (
    <>
      <section className={styles.form} aria-labelledby="send">
        <h2 id="send">Score a file</h2>
        <FilePicker isOne files={files} onChange={choose} label="Drop the file here" hint={usedWords(usedToday(own), QUOTA)} />
        <details className={styles.more}>
          <summary>How it is computed</summary>
          <OptionFields parameters={options} onChoose={(name, value) => setOptions({ ...options, [name]: value })} />
        </details>
        <Chosen file={files[0]} onSend={(file) => sending.mutate(file)} isSending={sending.isPending} isBusy={own.some((one) => !hasEnded(one))} />
        {sending.isError && <Notice tone="bad"><p>Not sent: {sentenceOf(sending.error)} The file is still chosen.</p></Notice>}
      </section>
      {computations.isError && !computations.data && <Notice tone="warn"><p>Your earlier files could not be read: {sentenceOf(computations.error)}</p></Notice>}
      {here.length > 0 && (
        <section className={styles.section} aria-labelledby="files">
          <h2 id="files">Your files</h2>
          <ComputationList all={here} nameOfSet={() => null} current={sending.data?.id ?? null} />
        </section>
      )}
    </>
  );
}

const A_DAY_MS = 86_400_000;

/** As the server counts: by when a file was sent, whatever became of it. */
function usedToday(own: Computation[]): number {
  const since = Date.now() - A_DAY_MS;
  const sets = own.filter(({ created_at: at }) => Date.parse(at) > since).map(({ parameters }) => parameters.sets);
  return sets.reduce<number>((sum, one) => sum + (typeof one === "number" ? one : 0), 0);
}

interface ChosenProps {
  file: File | undefined;
  onSend: (file: File) => void;
  isSending: boolean;
  /** Another file of hers is under way. */
  isBusy: boolean;
}

/** What is in the file, before it is sent; what is wrong in it stops nothing but itself. */
function Chosen({ file, onSend, isSending, isBusy }: ChosenProps) {
  const looked = useQuery({
    queryKey: ["sets-file", file?.name, file?.size, file?.lastModified],
    queryFn: () => lookInto(file as File),
    enabled: file !== undefined,
    networkMode: "always",
  });
  const found = file ? looked.data : undefined;
  const isTooLarge = file !== undefined && file.size > LARGEST;
  const isReady = file !== undefined && found !== undefined && found.sets > 0 && !isTooLarge && !isSending && !isBusy;
  return (
    <>
      {isTooLarge && <Notice tone="bad"><p>This file has {bytes(file.size)}; at most {bytes(LARGEST)} can be sent. Split it into several.</p></Notice>}
      {looked.isError && <Notice tone="bad"><p>This file could not be read. Choose it again.</p></Notice>}
      {found && !isTooLarge && found.sets === 0 && <Notice tone="bad"><p>This file has no sets.</p></Notice>}
      {found && found.failed > 0 && (
        <>
          <Notice tone="warn"><p>{count(found.failed)} of {plural(found.sets, "line")} cannot be scored as they are. The others can.</p></Notice>
          <FaultTable
            title={found.faults.length < found.failed ? `What is wrong, the first ${found.faults.length}` : "What is wrong"}
            rows={found.faults.map(({ line, message }) => ({ where: `line ${count(line)}`, what: message, more: "" }))}
            level={3}
          />
        </>
      )}
      {isBusy && <p className={styles.quiet}>One file of yours is under way. The next can be sent when it has ended.</p>}
      <div>
        <Button look="primary" size="large" isDisabled={!isReady} onPress={() => file && onSend(file)}>
          {isSending ? "Sending the file" : found && found.sets > 0 ? `Score ${plural(found.sets, "set")}` : "Score the file"}
        </Button>
      </div>
    </>
  );
}
