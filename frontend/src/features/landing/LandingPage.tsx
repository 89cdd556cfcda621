import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { Link } from "react-router";
import { useFocusHeading } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { landingPageFor } from "@/domains/accounts/permissions";
import { useCurrentUser } from "@/lib/currentUser";
import { formatCount } from "@/lib/format";
import { findPractice } from "@/study-kinds/registry";
import styles from "./Landing.module.css";
import { summaryQuery, type SiteSummary } from "./summaryQuery";
import { WaysOn } from "./WaysOn";

/** A question that can be ranked at once, then the ways on. */
export function LandingPage() {
  const heading = useFocusHeading("Serendib");
  const summary = useQuery(summaryQuery).data;
  return (
    <div className={styles.page}>
      <div className={styles.start}>
        <header className={styles.intro}>
          <h1 ref={heading} tabIndex={-1} className={styles.title}>Which answer would a physician be glad to have stumbled on?</h1>
          <p className={styles.what}>
            A knowledge graph can answer a medical question with something that nobody was looking for. On Serendib, physicians and
            researchers judge such answers, and language models are measured against them.
          </p>
          <p className={styles.brief}>Physicians judge surprising answers of medical knowledge graphs. Language models are measured against them.</p>
          <p className={styles.try}>Try one: move the answer that is relevant, new and surprising to the top.</p>
          <OwnPlace />
        </header>
        <PracticeQuestions />
        <Facts counts={summary?.counts} />
      </div>
      <WaysOn summary={summary} />
    </div>
  );
}

function OwnPlace() {
  const me = useCurrentUser();
  if (!me) {
    return (
      <p className={`${styles.hint} ${styles.invited}`}>
        Invited to a study? <Link to="/sign-in">Sign in</Link> to start. With a model? <Link to="/releases">See what it can be tested on</Link>.
      </p>
    );
  }
  const place = landingPageFor(me);
  return <p><Link to={place.path}>{place.label}</Link></p>;
}

function PracticeQuestions() {
  const practice = findPractice();
  if (!practice) return null;
  return (
    <div className={styles.practice}>
      <Suspense fallback={<SkeletonRows rows={5} height={68} />}><practice.Player /></Suspense>
    </div>
  );
}

/** Empty until the numbers are there, at their height. */
function Facts({ counts }: { counts: SiteSummary["counts"] | undefined }) {
  const facts: [number, string, string][] | undefined = counts && [
    [counts.questions, "question", "questions"],
    [counts.entries, "leaderboard entry", "leaderboard entries"],
    [counts.entities, "entity", "entities"],
    [counts.edges, "edge", "edges"],
    ...(counts.graphs > 1 ? [[counts.graphs, "public graph", "public graphs"] as [number, string, string]] : []),
  ];
  return (
    <ul className={styles.facts} aria-label="Here today">
      {facts?.map(([count, one, several]) => (
        <li key={one}><b className="number">{formatCount(count)}</b> {count === 1 ? one : several}</li>
      ))}
    </ul>
  );
}
