import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { Button } from "@/components/Button";
import { CopyLink } from "@/components/CopyLink";
import { CopyText } from "@/components/CopyText";
import { Facts } from "@/components/Facts";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { SegmentedControl } from "@/components/SegmentedControl";
import { Tag } from "@/components/Tag";
import { readChoice } from "@/lib/choices";
import { errorMessage } from "@/lib/errorMessages";
import { formatFullDate } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { AgreementSection } from "./batch/AgreementSection";
import { ClaimDetails } from "./ClaimDetails";
import { ClaimText } from "./ClaimText";
import styles from "./Grounding.module.css";
import { shareText, SOURCE_LABELS, sourcesOf, verifierText } from "./labels";
import { useSetPublic } from "./mutations";
import { groundingQuery, GROUNDINGS_URL, type Grounding } from "./queries";
import { useClaimFocus } from "./useClaimFocus";

const PARENT = { to: "/groundings", label: "Groundings" };
const TITLE = "Grounded claims";

/** The claims of a rationale in its text, and what the verdict on each rests on. */
export function GroundingPage() {
  const { id = "" } = useParams();
  const grounding = useQuery(groundingQuery(id));
  return (
    <PageBoundary query={grounding} title={TITLE} parent={PARENT}>
      {(data) => (
        <Page
          title={TITLE}
          parent={PARENT}
          width="wide"
          intro={<bdi>{data.hypothesis || "A rationale without a hypothesis."}</bdi>}
          aside={<Tag>{data.is_public ? "Public" : "Private"}</Tag>}
          actions={<CopyLink {...(!data.is_public && { note: "Only you can open it." })} />}
        >
          <GroundingFacts grounding={data} />
          {data.state === "queued" && <Notice>The claims wait for their verdicts. This page shows them once they are there.</Notice>}
          {data.state === "failed" && <Notice tone="bad"><bdi>{data.error?.detail ?? "The rationale could not be grounded. Request it again."}</bdi></Notice>}
          {data.is_withheld && <Notice tone="warn">You may no longer read the graph or the papers of this grounding. Its claims and their evidence are not shown.</Notice>}
          {data.state === "ended" && !data.is_withheld ? <Claims grounding={data} /> : <p className={styles.rationale} dir="auto">{data.rationale}</p>}
          {data.state === "ended" && (data.is_withheld || data.claims.length > 0) && <AgreementSection id={data.id} />}
          {data.state === "ended" && <Exports grounding={data} />}
        </Page>
      )}
    </PageBoundary>
  );
}

function GroundingFacts({ grounding }: { grounding: Grounding }) {
  const { graph, graph_name: graphName, literature, cutoff, created_at: createdAt } = grounding;
  return (
    <Facts>
      <div><dt>Graph</dt><dd><Link to={`/explore/${graph}`}><bdi>{graphName}</bdi></Link></dd></div>
      <div><dt>Papers</dt><dd><bdi>{literature?.name ?? "none"}</bdi></dd></div>
      <div><dt>Cut-off</dt><dd>{cutoff === null ? "none" : `nothing after ${cutoff}`}</dd></div>
      <div><dt>Verified by</dt><dd><bdi>{verifierText(grounding)}</bdi></dd></div>
      <div><dt>Date</dt><dd>{formatFullDate(createdAt)}</dd></div>
      {grounding.is_own && <div><dt>Batch</dt><dd><Link to={`/grounding-batches/${grounding.batch}`}>Groundedness corrected by experts</Link></dd></div>}
    </Facts>
  );
}

function Claims({ grounding }: { grounding: Grounding }) {
  const [params, setParams] = useUrlParams();
  const sources = sourcesOf(grounding);
  const last = sources.at(-1) ?? "graph";
  const options = sources.map((one) => ({ value: one, label: SOURCE_LABELS[one] }));
  const source = readChoice(options, params.get("source"), last);
  const { claims } = grounding;
  const chosen = claims.find(({ number }) => String(number) === params.get("claim")) ?? claims[0];
  const choose = (number: number) => setParams({ claim: String(number) });
  const { columns, heading, chooseInText, showDetails, showText } = useClaimFocus(chosen?.number, choose);
  if (!chosen) {
    return (
      <>
        <Notice>This text states no claims, so its groundedness is undefined.</Notice>
        <p className={styles.rationale} dir="auto">{grounding.rationale}</p>
      </>
    );
  }
  return (
    <>
      <section className={styles.section} aria-label="Groundedness">
        <h2>Groundedness</h2>
        <Facts>
          {sources.map((one) => {
            const counts = grounding.groundedness[one];
            return counts && <div key={one}><dt>{SOURCE_LABELS[one]}</dt><dd className="number">{shareText(counts)}</dd></div>;
          })}
        </Facts>
        {sources.length > 1 && (
          <SegmentedControl
            label="Verdicts from"
            options={options}
            value={source}
            onChange={(value) => setParams({ source: value === last ? null : value })}
          />
        )}
      </section>
      <div ref={columns} className={styles.columns}>
        <ClaimText rationale={grounding.rationale} claims={claims} chosen={chosen.number} source={source} onChoose={chooseInText} onShow={showDetails} />
        <ClaimDetails grounding={grounding} claim={chosen} source={source} onChoose={choose} onBack={showText} heading={heading} />
      </div>
    </>
  );
}

function Exports({ grounding: { id, is_public: isPublic, is_own: isOwn, is_withheld: isWithheld, bibtex } }: { grounding: Grounding }) {
  const setPublic = useSetPublic(id);
  return (
    <section className={styles.section} aria-label="Share and export">
      <h2>Share and export</h2>
      {isOwn && (
        <div className={styles.row}>
          <p>{isPublic ? "Everybody who has the address reads this page." : "You alone read this page."}</p>
          <Button onPress={() => setPublic.mutate(!isPublic)} isDisabled={setPublic.isPending}>{isPublic ? "Make it private" : "Make it public"}</Button>
        </div>
      )}
      {setPublic.isError && <Notice tone="bad">{errorMessage(setPublic.error)}</Notice>}
      {!isWithheld && (
        <p className={styles.row}>
          <a href={`${GROUNDINGS_URL}/${id}/export.json`} download>Claims as JSON</a>
          <a href={`${GROUNDINGS_URL}/${id}/export.csv`} download>Evidence as CSV</a>
        </p>
      )}
      <CopyText label="Citation" text={bibtex} />
    </section>
  );
}
