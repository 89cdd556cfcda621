import { Check } from "lucide-react";
import { useId } from "react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { isLevel, isUnsureReason, LEVELS, levelOf, reasonLabel, reasonOf, UNSURE_REASONS, type Level, type ScaledAnswer, type RatingScale } from "./scaledAnswer";
import styles from "./Scales.module.css";
import type { ScaleActions } from "./useScaleActions";

interface Props {
  scale: RatingScale;
  answer: ScaledAnswer;
  actions: ScaleActions;
  shortcutsEnabled: boolean;
}

/** One scale: its question, five levels, and why there is none. */
export function ScaleCard({ scale, answer, actions, shortcutsEnabled }: Props) {
  const id = useId();
  const { name, question, low, high } = scale;
  const isActive = actions.active === name;
  const areReasonsOpen = actions.openReasons === name;
  const reason = reasonOf(answer, name);
  return (
    <div className={styles.scale} role="group" aria-labelledby={id} tabIndex={-1} data-scale={name} data-active={isActive || undefined}>
      <h2 id={id} className={styles.question}><span className={styles.name}>{name}</span> {question}</h2>
      <Levels scale={scale} value={levelOf(answer, name)} onChange={(level) => actions.rate(name, level)} />
      <p className={styles.ends}><span>1: {low}</span><span>5: {high}</span></p>
      <div className={styles.unsure}>
        <Button variant="quiet" onPress={() => actions.toggleReasons(name)} aria-expanded={areReasonsOpen}>
          {reason === null ? "Not sure" : `Not sure: ${reasonLabel(reason).toLowerCase()}`}
          {shortcutsEnabled && isActive && <Kbd>N</Kbd>}
        </Button>
      </div>
      {areReasonsOpen && <Reasons value={reason} actions={actions} name={name} shortcutsEnabled={shortcutsEnabled} />}
    </div>
  );
}

function Levels({ scale: { question, low, high }, value, onChange }: { scale: RatingScale; value: Level | null; onChange: (level: Level) => void }) {
  const labels: Partial<Record<Level, string>> = { 1: `1, ${low}`, 5: `5, ${high}` };
  return (
    <ToggleButtonGroup
      aria-label={question}
      className={styles.levels ?? ""}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={value === null ? [] : [value]}
      onSelectionChange={(keys) => {
        const [chosen] = [...keys];
        if (isLevel(chosen)) onChange(chosen);
      }}
    >
      {LEVELS.map((level) => (
        <ToggleButton key={level} id={level} className={styles.level ?? ""} aria-label={labels[level] ?? `${level}`}>
          {value === level && <Check size={14} aria-hidden />}
          {level}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface ReasonsProps {
  value: string | null;
  name: string;
  actions: ScaleActions;
  shortcutsEnabled: boolean;
}

function Reasons({ value, name, actions, shortcutsEnabled }: ReasonsProps) {
  return (
    <ul className={styles.reasons} aria-label="Why are you not sure?">
      {UNSURE_REASONS.map(({ reason, label }, at) => (
        <li key={reason}>
          <button
            type="button"
            className={styles.reason}
            data-reason={reason}
            aria-pressed={reason === value}
            onClick={() => isUnsureReason(reason) && actions.chooseReason(name, reason)}
            onKeyDown={(event) => event.key === "Escape" && actions.closeReasons()}
          >
            {label}
            {shortcutsEnabled && <Kbd>{`${at + 1}`}</Kbd>}
          </button>
        </li>
      ))}
    </ul>
  );
}
