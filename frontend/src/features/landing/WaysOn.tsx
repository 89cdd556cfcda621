import { Search } from "lucide-react";
import { Suspense, useState, type FormEvent, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { Button } from "@/components/Button";
import { TextField } from "@/components/TextField";
import { hasSimulated, SIMULATED_NOTE } from "@/domains/evaluation/labels";
import { pathsUrl, searchUrl } from "@/domains/graphs/graphUrls";
import { formatPlural } from "@/lib/format";
import { findPractice } from "@/study-kinds/registry";
import styles from "./Landing.module.css";
import type { SiteSummary } from "./summaryQuery";
import { TopModels } from "./TopModels";

/** Explore, measure, compare: each with something of the data that can be opened. */
export function WaysOn({ summary }: { summary: SiteSummary | undefined }) {
  return (
    <div className={styles.ways}>
      <Way title="Explore" to="/explore" note={summary && formatPlural(summary.counts.entities, "entity", "entities")}>
        {summary?.graph && <GraphSearch graph={summary.graph} examples={summary.examples} />}
      </Way>
      <Way title="Measure" to="/workbench" note={summary && formatPlural(summary.counts.questions, "question")}>
        <MeasurePicture />
      </Way>
      <Way title="Leaderboard" to="/leaderboard" note={summary && formatPlural(summary.counts.entries, "entry", "entries")}>
        {summary && hasSimulated(summary.tracks) && <p className={styles.hint}>{SIMULATED_NOTE}</p>}
        {summary?.tracks.map((track) => <TopModels key={track.track} track={track} />)}
      </Way>
    </div>
  );
}

interface WayProps {
  title: string;
  to: string;
  note: string | undefined;
  children: ReactNode;
}

function Way({ title, to, note, children }: WayProps) {
  return (
    <section className={styles.way} aria-labelledby={`way-${title}`}>
      <div className={styles.wayHead}>
        <h2 id={`way-${title}`}><Link to={to}>{title}</Link></h2>
        <span className={`${styles.hint} number`}>{note}</span>
      </div>
      {children}
    </section>
  );
}

function GraphSearch({ graph, examples }: { graph: string; examples: SiteSummary["examples"] }) {
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const search = (event: FormEvent) => {
    event.preventDefault();
    void navigate(searchUrl({ slug: graph, snapshot: "" }, text.trim()));
  };
  return (
    <>
      <form role="search" className={styles.search} onSubmit={search}>
        <TextField label="A drug, disease or gene" type="search" maxLength={120} value={text} onChange={setText} />
        <Button type="submit" size="icon" aria-label="Search the graph"><Search size={18} aria-hidden /></Button>
      </form>
      {examples.length > 0 && (
        <div className={styles.examples}>
          <p className={styles.hint}>How is one linked to the other?</p>
          <ul>
            {examples.map(({ graph: slug, source, target }) => (
              <li key={source.id}>
                <Link to={pathsUrl({ slug, snapshot: "" }, source.id, [target.id])}>{source.name} → {target.name}</Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p><Link to={searchUrl({ slug: examples[0]?.graph ?? graph, snapshot: "" }, "")}>Start from a surprise: a drug with a use that few drugs like it have</Link></p>
    </>
  );
}

function MeasurePicture() {
  const practice = findPractice();
  return (
    <>
      <p>How relevant, how new, how surprising: the weights decide which answer comes first.</p>
      {practice && <Suspense fallback={<div className={styles.picture} />}><practice.Measure /></Suspense>}
    </>
  );
}
