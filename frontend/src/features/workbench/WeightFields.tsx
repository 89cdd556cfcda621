import { useId, useState } from "react";
import { capitalize, PRESET_LABELS } from "./labels";
import { isSameWeights, SCORE_PARTS, withPart, type ScorePart, type Weights } from "@/lib/weights/simplex";
import styles from "./Weights.module.css";

interface Props {
  weights: Weights;
  onChange: (weights: Weights) => void;
}

/** The same weights as three numbers; setting one lets the other two share the rest as they did. */
export function WeightFields({ weights, onChange }: Props) {
  return (
    <div className={styles.fields} role="group" aria-label="Weights">
      {SCORE_PARTS.map((part) => (
        <WeightField key={part} part={part} value={weights[part]} onChange={(value) => onChange(withPart(weights, part, value))} />
      ))}
    </div>
  );
}

function WeightField({ part, value, onChange }: { part: ScorePart; value: number; onChange: (value: number) => void }) {
  const id = useId();
  /** What is being written, until it is left: '0.' is on its way to a number. */
  const [draft, setDraft] = useState<string | null>(null);
  const written = draft === null ? value : Number(draft);
  const isWrong = draft !== null && (draft.trim() === "" || !(written >= 0 && written <= 1));
  const write = (text: string) => {
    setDraft(text);
    const number = Number(text);
    if (text.trim() !== "" && number >= 0 && number <= 1) onChange(number);
  };
  return (
    <div className={styles.field} data-part={part}>
      <label htmlFor={id}>{capitalize(part)}</label>
      <input
        id={id}
        className="number"
        type="number"
        inputMode="decimal"
        min={0}
        max={1}
        step={0.01}
        value={draft ?? Number(value.toFixed(3))}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        onChange={(event) => write(event.target.value)}
        onBlur={() => setDraft(null)}
      />
      {isWrong && <p id={`${id}-wrong`} className={styles.wrong} role="alert">A number from 0 to 1</p>}
    </div>
  );
}

interface PresetProps extends Props {
  presets: { name: keyof typeof PRESET_LABELS; weights: Weights }[];
}

export function Presets({ presets, weights, onChange }: PresetProps) {
  return (
    <div className={styles.presets} role="group" aria-label="Weights to start from">
      {presets.map(({ name, weights: preset }) => (
        <button
          key={name}
          type="button"
          className={styles.preset}
          aria-pressed={isSameWeights(preset, weights)}
          title={PRESET_TITLES[name]}
          onClick={() => onChange(preset)}
        >
          {PRESET_LABELS[name]}
        </button>
      ))}
    </div>
  );
}

const PRESET_TITLES: Record<keyof typeof PRESET_LABELS, string> = {
  equal: "A third each: the paper prints no weights",
  relevance: "Weight 1 for relevance, 0 for the others",
  novelty: "Weight 1 for novelty, 0 for the others",
  surprise: "Weight 1 for surprise, 0 for the others",
  calibrated: "Fitted to what experts chose",
};
