import { Check, Equal } from "lucide-react";
import { Fragment } from "react";
import { Button } from "../Button";
import { CandidateName, PriorWord } from "./CandidateName";
import { flat, isTied, ranksOf } from "./model";
import styles from "./PairCards.module.css";
import type { CardsProps } from "./RankedList";
import { placeWords, priorWords } from "./words";

/**
 * Two candidates side by side: neither moves, one is chosen, or they are equal. Before she chose,
 * none is: what the model put first must not look like her choice.
 */
export function PairCards(props: CardsProps) {
  const { candidates, shown, prior, priorName, ranking, isHers, actions, onLinkOpened } = props;
  const equal = isHers && ranking.length === 1;
  const lower = flat(ranking)[1] ?? "";
  return (
    <ul className={styles.pair}>
      {shown.map((id, index) => {
        const candidate = candidates.find((one) => one.id === id);
        if (!candidate) return null;
        const first = isHers && !isTied(ranking, id) && ranksOf(ranking).get(id) === 1;
        const words = priorWords(ranking, prior, id, priorName);
        return (
          <Fragment key={id}>
            {index === 1 && (
              <li className={styles.equal}>
                <Choice chosen={equal} name="Equal: neither is more serendipitous" onChoose={() => actions.tie(lower, "button")}>
                  <Equal size={16} aria-hidden />
                  Equal
                </Choice>
              </li>
            )}
            <li>
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys act on the card that has focus */}
              <div className={styles.card} data-candidate={id} data-part="card" data-first={first || undefined} role="group" tabIndex={0} aria-label={`${placeWords(ranking, candidates, id)}, ${words.text}`}>
                <CandidateName candidate={candidate} onLinkOpened={() => onLinkOpened?.(candidate)} />
                <PriorWord words={words} />
                <Choice chosen={first} name={`${first ? "Chosen" : "Choose"}: ${candidate.name}`} onChoose={() => actions.place(id, 1, "button")}>
                  {first && <Check size={16} aria-hidden />}
                  {first ? "Chosen" : "Choose"}
                </Choice>
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

function Choice({ chosen, name, onChoose, children }: ChoiceProps) {
  return (
    <div className={styles.choice} data-chosen={chosen || undefined}>
      <Button aria-label={name} aria-pressed={chosen} data-part="choose" onPress={() => !chosen && onChoose()}>
        {children}
      </Button>
    </div>
  );
}
