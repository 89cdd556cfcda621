import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { Facts } from "@/components/Facts";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { formatCount, formatPlural } from "@/lib/format";
import styles from "../Grounding.module.css";
import { verifierText } from "../labels";
import { ClaimStudyForm } from "./ClaimStudyForm";
import { CorrectedSection } from "./CorrectedSection";
import { batchQuery, batchUrl, type GroundingBatch } from "./queries";

const PARENT = { to: "/groundings", label: "Groundings" };
const TITLE = "Groundedness of a batch";

/** The groundedness of the rationales of a file or request, corrected by experts who verify claims. */
export function BatchPage() {
  const { id = "" } = useParams();
  const batch = useQuery(batchQuery(id));
  return (
    <PageBoundary query={batch} title={TITLE} parent={PARENT}>
      {(data) => (
        <Page title={TITLE} parent={PARENT} width="wide" intro="Experts verify a part of the claims. Their verdicts correct the verifier's share for its errors, with a valid interval.">
          <BatchFacts batch={data} />
          <section className={styles.section} aria-label="Corrected by experts">
            <h2>Corrected by experts</h2>
            {data.sources.map((one) => <CorrectedSection key={one.source} data={one} />)}
          </section>
          {data.may_make_study && <ClaimStudyForm batch={data} />}
          <p><a href={`${batchUrl(data.batch)}/export.csv`} download>Figures as CSV</a></p>
        </Page>
      )}
    </PageBoundary>
  );
}

function BatchFacts({ batch }: { batch: GroundingBatch }) {
  const { groundings, ended, failed } = batch;
  return (
    <Facts>
      <div><dt>Rationales</dt><dd>{formatCount(ended)} of {formatPlural(groundings, "rationale")} grounded{failed > 0 && `, ${formatCount(failed)} failed`}</dd></div>
      <div><dt>Graph</dt><dd><Link to={`/explore/${batch.graph}`}><bdi>{batch.graph_name}</bdi></Link></dd></div>
      <div><dt>Papers</dt><dd><bdi>{batch.literature || "none"}</bdi></dd></div>
      <div><dt>Verified by</dt><dd>{verifierText(batch)}</dd></div>
    </Facts>
  );
}
