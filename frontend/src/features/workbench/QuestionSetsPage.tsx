import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Empty } from "@/components/Empty";
import { Failure, Loadable } from "@/components/Loadable";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { mayOpen } from "@/lib/access";
import { useCursorList } from "@/lib/cursor";
import { count, plural } from "@/lib/format";
import { rnsPlace } from "@/lib/graphs/places";
import { useMe } from "@/lib/me";
import { questionsAddress, questionSetsQuery, type QuestionRow, type QuestionSet } from "./api";
import styles from "./QuestionSets.module.css";
import { questionPlace } from "./useBench";
import { listWords, METHOD_WORDS } from "./words";

/** The question sets that one may look into, and the questions of one of them. */
export function QuestionSetsPage() {
  const [params] = useSearchParams();
  const me = useMe();
  const sets = useQuery(questionSetsQuery);
  return (
    <Page
      title="Benchmarks"
      width="wide"
      lead="Questions with several right answers, some known and some serendipitous. Choose one to see what its score is made of, and which answers each weighing of it picks."
      actions={me && mayOpen(me, "coordinator") && <ButtonLink to="/workbench/computations">Computations</ButtonLink>}
    >
      <Loadable query={sets} skeleton={<SkeletonRows rows={6} height={56} />}>
        {(all) => all.length === 0 ? (
          <Empty>Question sets will be listed here once one with a public part is imported. Sets that experts still rank stay hidden until their study ends.</Empty>
        ) : (
          <Sets all={all} wanted={params.get("set")} />
        )}
      </Loadable>
    </Page>
  );
}

function Sets({ all, wanted }: { all: QuestionSet[]; wanted: string | null }) {
  const open = all.find(({ id }) => id === wanted) ?? (wanted ? undefined : all[0]);
  return (
    <div className={styles.sets}>
      {all.length > 1 && (
        <nav aria-label="Question sets" className={styles.list}>
          {all.map((one) => (
            <Link key={one.id} to={`/workbench?set=${one.id}`} aria-current={one === open ? "page" : undefined}>
              {one.name} <span>{count(one.questions)}</span>
            </Link>
          ))}
        </nav>
      )}
      {open ? <OneSet key={open.id} set={open} /> : <Empty>This question set is not here, or is not yours to see.</Empty>}
    </div>
  );
}

function OneSet({ set }: { set: QuestionSet }) {
  return (
    <section className={styles.set} aria-labelledby="set-name">
      <div>
        <h2 id="set-name">
          {set.name} {set.is_demo && <Tag>demo</Tag>} {!set.public && <Tag>not public</Tag>}
        </h2>
        <p className={styles.quiet}>
          {aboutSet(set)}{" "}
          {set.graphs[0] && <Link to={rnsPlace({ slug: set.graphs[0].slug, snapshot: null })}>Measure two sets of your own</Link>}
        </p>
      </div>
      {set.graphs.length > 0 ? <Questions set={set} /> : (
        <Empty>The names of this set were not looked up in any graph that you may see, so nothing of it can be scored yet.</Empty>
      )}
    </section>
  );
}

function aboutSet({ questions, graphs, methods }: QuestionSet): string {
  const said = [`${plural(questions, "question")}.`];
  if (graphs.length > 0) said.push(`Looked up in ${listWords(graphs.map(({ name, number }) => `${name}, version ${number}`))}.`);
  const kept = (["llm", "expert", "rns"] as const).filter((one) => methods[one]);
  if (kept.length > 0) said.push(`Partitions: ${listWords(kept.map((one) => `${count(methods[one] ?? 0)} by ${METHOD_WORDS[one].who}`))}.`);
  return said.join(" ");
}

function Questions({ set }: { set: QuestionSet }) {
  const list = useCursorList<QuestionRow>(["questions", set.id], questionsAddress(set.id));
  if (list.isError && !list.data) return <Failure error={list.error} onRetry={() => void list.refetch()} busy={list.isFetching} />;
  if (!list.data) return <div aria-busy="true"><SkeletonRows rows={8} /></div>;
  return (
    <>
      <DataTable label={`Questions of ${set.name}`} minWidth={560}>
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col" data-numeric>Candidates</th>
            <th scope="col"><abbr title="The type of its graph pattern, as SerenQA numbers them in appendix A.2">Pattern</abbr></th>
            <th scope="col">Partitions kept</th>
          </tr>
        </thead>
        <tbody>
          {list.data.map((row) => (
            <tr key={row.id}>
              <th scope="row" className={styles.question}>
                <span className={styles.count}>{row.number}</span><Link to={questionPlace(row.id)}>{row.text}</Link>
              </th>
              <td data-numeric>{count(row.candidates)}</td>
              <td>{row.pattern_type || <span className={styles.quiet}>none stated</span>}</td>
              <td>{row.methods.length > 0 ? row.methods.map((one) => METHOD_WORDS[one].column.toLowerCase().replace("rns", "RNS")).join(", ") : <span className={styles.quiet}>none yet</span>}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
      {list.hasNextPage && (
        <div>
          <Button onPress={() => void list.fetchNextPage()} isDisabled={list.isFetchingNextPage}>
            {list.isFetchingNextPage ? "Reading" : `Show more of ${count(set.questions)}`}
          </Button>
          {list.isFetchNextPageError && <span role="alert" className={styles.bad}> The next ones could not be read. Try again.</span>}
        </div>
      )}
    </>
  );
}
