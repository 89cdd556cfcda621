import { Suspense } from "react";
import { Link, useSearchParams } from "react-router";
import { ButtonLink } from "@/components/Button";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { findPractice, listPractice } from "@/study-kinds/registry";

/** The questions of the study kind in the URL, or those of the front page; below them, the other kinds. */
export function PracticePage() {
  const [search] = useSearchParams();
  const all = listPractice();
  const practice = all.find(([kind]) => kind === search.get("kind"))?.[1] ?? findPractice();
  if (!practice) return <NoPractice />;
  const others = all.filter(([, { Player }]) => Player !== practice.Player);
  return (
    <Page title="Practice questions" intro="Answer as in a study. Nothing is saved or sent.">
      <Suspense key={practice.linkLabel} fallback={<SkeletonRows rows={5} height={68} />}><practice.Player showsLinks /></Suspense>
      <nav aria-label="Other kinds of questions">
        <ul>
          {others.map(([kind, { linkLabel }]) => <li key={kind}><Link to={`/practice?kind=${kind}`}>{linkLabel}</Link></li>)}
        </ul>
      </nav>
    </Page>
  );
}

function NoPractice() {
  return (
    <Page title="No practice question">
      <p>No kind of study here offers a practice question.</p>
      <div><ButtonLink to="/" variant="primary" size="large">To the front page</ButtonLink></div>
    </Page>
  );
}
