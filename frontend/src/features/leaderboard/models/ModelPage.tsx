import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { ExternalLink } from "@/components/ExternalLink";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { Tag } from "@/components/Tag";
import { coverageText, formatDollars, formatLatency, formatParameters, intervalText, PROVENANCE_LABELS, rankText, scoreText } from "@/domains/evaluation/labels";
import { modelResultsQuery, type ModelResults } from "@/domains/evaluation/queries";
import { formatLongDate } from "@/lib/format";
import { useRecentPlace } from "@/lib/recentPlaces";
import { ChangeModelButton } from "./ChangeModel";
import styles from "./Models.module.css";

const PARENT = { to: "/models", label: "Models" };

/** A model with all its results: evaluated here and as printed, apart. */
export function ModelPage() {
  const { slug = "" } = useParams();
  const results = useQuery(modelResultsQuery(slug));
  useRecentPlace("Model", results.data?.model.name, `/models/${slug}`);
  return (
    <PageBoundary query={results} title="Model" parent={PARENT}>
      {({ model, can_change: canChange, evaluated, printed }) => (
        <Page title={model.name} parent={PARENT} width="wide" aside={<Marks model={model} />} actions={canChange && <ChangeModelButton slug={slug} />}>
          <Facts model={model} />
          <Evaluated results={evaluated} name={model.name} />
          <Printed results={printed} name={model.name} />
        </Page>
      )}
    </PageBoundary>
  );
}

type Model = ModelResults["model"];

function Marks({ model: { is_baseline: isBaseline, is_simulated: isSimulated } }: { model: Model }) {
  return <>{isBaseline && <Tag>baseline</Tag>}{isSimulated && <Tag>simulated</Tag>}</>;
}

function Facts({ model }: { model: Model }) {
  const facts = [
    ["Organisation", model.organisation],
    ["Family", model.family],
    ["Parameters", model.parameters && formatParameters(model.parameters)],
    ["Licence", model.licence],
    ["Training cut-off", model.training_cutoff && formatLongDate(model.training_cutoff)],
  ].filter(([, value]) => value);
  const links = [["Model", model.link], ["Code", model.code], ["Paper", model.paper]].filter(([, href]) => href);
  return (
    <dl className={styles.facts}>
      {facts.map(([term, value]) => <div key={term}><dt>{term}</dt><dd>{value}</dd></div>)}
      {links.map(([term, href]) => <div key={term}><dt>{term}</dt><dd><ExternalLink href={href ?? ""}>{href}</ExternalLink></dd></div>)}
      {model.training_data && <div className={styles.statement}><dt>Training data, as stated</dt><dd>{model.training_data}</dd></div>}
    </dl>
  );
}

function Evaluated({ results, name }: { results: ModelResults["evaluated"]; name: string }) {
  return (
    <section className={styles.section} aria-labelledby="evaluated-heading">
      <h2 id="evaluated-heading">Evaluated here</h2>
      {results.length === 0 ? <EmptyState>No predictions of this model stand on a board.</EmptyState> : (
        <DataTable
          label={`Results of ${name}, evaluated here`}
          minWidth={840}
          folds
          columns={["Release", "Items", "Measure", { label: "Value", isNumeric: true }, { label: "Rank", isNumeric: true }, { label: "Cost, declared", isNumeric: true }, { label: "Latency, declared", isNumeric: true }, "Source", "Date"]}
        >
          {results.map((one) => (
            <tr key={one.submission}>
              <th scope="row">
                <Link to={`/results/${one.submission}`}>{one.release_name}</Link>
                <span className={styles.quiet}>{one.track_title}</span>
              </th>
              <td>{one.split}</td>
              <td>{one.metric_label}</td>
              <td data-numeric className="number">
                {scoreText(one.score[0] ?? 0, one)} <span className={styles.inline}>{intervalText(one.score, one)}</span>
                {one.coverage < 1 && <span className={styles.inline}> coverage {coverageText(one.coverage)}</span>}
              </td>
              <td data-numeric className="number">
                {one.rank_best && one.rank_worst ? `${rankText({ best: one.rank_best, worst: one.rank_worst })} of ${one.entries}` : "not ranked"}
              </td>
              <td data-numeric className="number">{one.cost_usd === null ? "not given" : formatDollars(one.cost_usd)}</td>
              <td data-numeric className="number">{one.latency_s === null ? "not given" : formatLatency(one.latency_s)}</td>
              <td>{PROVENANCE_LABELS[one.provenance] ?? one.provenance}</td>
              <td>{formatLongDate(one.submitted_at)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

function Printed({ results, name }: { results: ModelResults["printed"]; name: string }) {
  return (
    <section className={styles.section} aria-labelledby="printed-heading">
      <h2 id="printed-heading">As printed</h2>
      {results.length === 0 ? <EmptyState>No paper on the leaderboard prints figures of this model.</EmptyState> : (
        <>
          <p className={styles.lead}>From other data than what is evaluated here, so the two are not compared.</p>
          <DataTable label={`Results of ${name}, as printed`} minWidth={640} folds columns={["Table", "Setting", "Figures"]}>
            {results.map((one) => (
              <tr key={`${one.table_id} ${one.track} ${one.setting}`}>
                <th scope="row">
                  <Link to={`/leaderboard/${one.track}?table=${one.table_id}`}>{one.title}</Link>
                  <span className={styles.quiet}>{one.track_title}, Table {one.table}</span>
                </th>
                <td>{one.setting}</td>
                <td><Figures figures={one.figures} /></td>
              </tr>
            ))}
          </DataTable>
        </>
      )}
    </section>
  );
}

function Figures({ figures }: Pick<ModelResults["printed"][number], "figures">) {
  return (
    <ul className={styles.figures}>
      {figures.map(({ label, text, scale }) => <li key={label}>{label}: <span className="number">{text}</span> <span className={styles.inline}>({scale})</span></li>)}
    </ul>
  );
}
