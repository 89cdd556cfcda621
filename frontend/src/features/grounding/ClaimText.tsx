import { Link } from "react-router";
import styles from "./Grounding.module.css";
import { VERDICT_LABELS } from "./labels";
import type { Claim, Source, Verdict } from "./queries";
import { segmentText, unplacedClaims } from "./segments";

interface Props {
  rationale: string;
  claims: Claim[];
  chosen: number;
  source: Source;
  onChoose: (number: number) => void;
}

/** The rationale with its claims marked; each is a link, so that it wraps and takes the keyboard. */
export function ClaimText({ rationale, claims, ...marks }: Props) {
  const segments = segmentText(rationale, claims);
  const unplaced = unplacedClaims(segments, claims);
  return (
    <section className={styles.section} aria-label="Rationale">
      <h2>Rationale</h2>
      <p className={styles.rationale} dir="auto">
        {segments.map(({ text, claim }, at) => (claim ? <ClaimMark key={at} claim={claim} {...marks}>{text}</ClaimMark> : <span key={at}>{text}</span>))}
      </p>
      {unplaced.length > 0 && (
        <>
          <h3>Claims that are not in the text word for word</h3>
          <ul className={styles.unplaced}>
            {unplaced.map((claim) => <li key={claim.number}><ClaimMark claim={claim} {...marks}>{claim.text}</ClaimMark></li>)}
          </ul>
        </>
      )}
    </section>
  );
}

const MARKS: Record<Verdict, string | undefined> = { supported: styles.supported, contradicted: styles.contradicted, not_enough: styles.notEnough };

export function verdictOf(claim: Claim, source: Source): Verdict {
  return claim.verdicts.find((one) => one.source === source)?.verdict ?? "not_enough";
}

interface MarkProps extends Omit<Props, "rationale" | "claims"> {
  claim: Claim;
  children: string;
}

function ClaimMark({ claim, chosen, source, onChoose, children }: MarkProps) {
  const verdict = verdictOf(claim, source);
  return (
    <Link
      to={`?claim=${claim.number}`}
      className={`${styles.mark} ${MARKS[verdict]}`}
      aria-current={claim.number === chosen}
      onClick={(event) => {
        event.preventDefault();
        onChoose(claim.number);
      }}
    >
      <bdi>{children}</bdi> <span className={styles.label}>{claim.number} {VERDICT_LABELS[verdict].toLowerCase()}</span>
    </Link>
  );
}
