import { useQuery } from "@tanstack/react-query";
import { DataTable } from "@/components/DataTable";
import { queryReportQuery, type Submission } from "@/domains/evaluation/queries";
import { formatCount, formatPlural } from "@/lib/format";
import styles from "./Submissions.module.css";

const KIND_LABELS: Record<string, string> = {
  refused: "Does more than read the graph",
  invalid: "Invalid query",
  time: "Stopped at the time limit",
  memory: "Stopped at the memory limit",
  output: "Returns too much",
  crashed: "The engine crashed",
  out_of_time: "No time left for this file",
  no_entity: "Names no entity",
  nothing: "Returned nothing",
};

/** Which Cypher queries of the predictions failed and why; of test items, how many of each kind. */
export function QueryFailures({ submission: { id } }: { submission: Submission }) {
  const report = useQuery(queryReportQuery(id)).data;
  if (!report || report.queries === 0) return null;
  return (
    <section className={styles.section} aria-label="Queries">
      <h2>Queries</h2>
      <p>{formatCount(report.queries - report.failed)} of {formatPlural(report.queries, "query", "queries")} ran. A query that fails is worth 0 in every metric.</p>
      {report.without_entity > 0 && <p>{formatPlural(report.without_entity, "query", "queries")} ran and returned something, but named no entity. Return identifiers, such as <code>n.id</code>.</p>}
      {report.without_result > 0 && <p>{formatPlural(report.without_result, "query", "queries")} ran and returned nothing.</p>}
      {report.failed > 0 && !report.failures && <Kinds kinds={report.kinds} />}
      {report.failures && report.failures.length > 0 && (
        <DataTable label="Failed queries" minWidth={640} folds columns={["Row", "Question", "Code", "What happened"]}>
          {report.failures.map(({ item, kind, message, line, question }) => (
            <tr key={item}>
              <th scope="row">{line === null ? "unknown" : formatCount(line)}</th>
              <td><bdi>{item}</bdi>{" "}{question && <span className={styles.quiet}><bdi>{question}</bdi></span>}</td>
              <td><code>{kind}</code></td>
              <td>{KIND_LABELS[kind] ?? kind}. <bdi>{message}</bdi></td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

function Kinds({ kinds }: { kinds: Record<string, number> }) {
  return (
    <DataTable label="Failed queries by kind" minWidth={320} columns={["Failure", { label: "Queries", isNumeric: true }]}>
      {Object.entries(kinds).map(([kind, count]) => (
        <tr key={kind}><th scope="row">{KIND_LABELS[kind] ?? kind}</th><td data-numeric className="number">{formatCount(count)}</td></tr>
      ))}
    </DataTable>
  );
}
