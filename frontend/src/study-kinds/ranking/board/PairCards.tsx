import { Check, Equal } from "lucide-react";
import { Fragment } from "react";
import { Button } from "@/components/Button";
import { CandidateName, PriorRankLabel } from "./CandidateName";
import { cardLabel, priorLabel, pairRankLabel } from "./labels";
import styles from "./PairCards.module.css";
import { flattenRanking, isTied, competitionRanks } from "./rankingModel";
import type { CardsProps } from "./types";

/**
 * Two candidates side by side: one is chosen, or they are equal. Before the expert chooses, none
 * is marked: what the model put first must not look like their choice.
 */
export function PairCards(props: CardsProps) {
  const { candidates, displayOrder, prior, priorName, ranking, isUserOrder, actions, onLinkOpened } = props;
  const equal = isUserOrder && ranking.length === 1;
  const lower = flattenRanking(ranking)[1] ?? "";
  return (
    <ul className={styles.pair}>
      {displayOrder.map((id, index) => {
        const candidate = candidates.find((one) => one.id === id);
        if (!candidate) return null;
        const first = isUserOrder && !isTied(ranking, id) && competitionRanks(ranking).get(id) === 1;
        const words = priorLabel(ranking, prior, id, priorName);
        return (
          <Fragment key={id}>
            {index === 1 && (
              <li className={styles.equal}>
                <PairChoice chosen={equal} name="Equal: neither is more serendipitous" onChoose={() => actions.tie(lower, "button")}>
                  <Equal size={16} aria-hidden />
                  Equal
                </PairChoice>
              </li>
            )}
            <li>
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys act on the card that has focus */}
              <div className={styles.card} data-candidate={id} data-part="card" data-first={first || undefined} role="group" tabIndex={0} aria-label={cardLabel(ranking, candidates, id, words)}>
                <CandidateName candidate={candidate} onLinkOpened={() => onLinkOpened?.(candidate)} />
                <PriorRankLabel words={words ?? pairRankLabel(ranking, id)} />
                <PairChoice chosen={first} name={`${first ? "Chosen" : "Choose"}: ${candidate.name}`} onChoose={() => actions.place(id, 1, "button")}>
                  {first && <Check size={16} aria-hidden />}
                  {first ? "Chosen" : "Choose"}
                </PairChoice>
              </div>
            </li>
          </Fragment>
        );
      })}
    </ul>
  );
}

interface ChoiceProps {
  chosen: boolean;
  name: string;
  onChoose: () => void;
  children: React.ReactNode;
}

function PairChoice({ chosen, name, onChoose, children }: ChoiceProps) {
  return (
    <div className={styles.choice} data-chosen={chosen || undefined}>
      <Button aria-label={name} aria-pressed={chosen} data-part="choose" onPress={() => !chosen && onChoose()}>{children}</Button>
    </div>
  );
}
