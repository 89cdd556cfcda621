import { ArrowDown } from "lucide-react";
import { Fragment } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
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
  /** To the details of the chosen claim, below the text. */
  onShow: () => void;
}

/** The rationale with its claims marked; each is a link, so that it wraps and takes the keyboard. */
export function ClaimText({ rationale, claims, onShow, ...marks }: Props) {
  const segments = segmentText(rationale, claims);
  const unplaced = unplacedClaims(segments, claims);
  return (
    <section className={styles.section} aria-label="Rationale">
      <h2>Rationale</h2>
      <div className={styles.narrow}><Button onPress={onShow}><ArrowDown size={16} aria-hidden /> Evidence of claim {marks.chosen}</Button></div>
      <p className={styles.rationale} dir="auto">
        {segments.map(({ text, claim, others }, at) => (
          <Fragment key={at}>
            {claim ? <ClaimMark claim={claim} {...marks}>{text}</ClaimMark> : text}
            {others.map((one) => <Fragment key={one.number}> <ClaimMark claim={one} {...marks} /></Fragment>)}
          </Fragment>
        ))}
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

interface MarkProps extends Omit<Props, "rationale" | "claims" | "onShow"> {
  claim: Claim;
  /** None for a further claim of words that stand before it. */
  children?: string;
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
      {children && <><bdi>{children}</bdi> </>}<span className={styles.label}>{claim.number} {VERDICT_LABELS[verdict].toLowerCase()}</span>
    </Link>
  );
}
