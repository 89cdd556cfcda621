import { useId, useState } from "react";
import { isSame, PARTS, withPart, type Part, type Weights } from "./simplex";
import styles from "./Weights.module.css";
import { capital, PRESET_WORDS } from "./words";

interface Props {
  weights: Weights;
  onChange: (weights: Weights) => void;
}

/** The same weights as three numbers; setting one lets the other two share the rest as they did. */
export function WeightFields({ weights, onChange }: Props) {
  return (
    <div className={styles.fields} role="group" aria-label="Weights">
      {PARTS.map((part) => (
        <WeightField key={part} part={part} value={weights[part]} onChange={(value) => onChange(withPart(weights, part, value))} />
      ))}
    </div>
  );
}

interface FieldProps {
  part: Part;
  value: number;
  onChange: (value: number) => void;
}

function WeightField({ part, value, onChange }: FieldProps) {
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
      <label htmlFor={id}>{capital(part)}</label>
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
  presets: { name: keyof typeof PRESET_WORDS; weights: Weights }[];
}

export function Presets({ presets, weights, onChange }: PresetProps) {
  return (
    <div className={styles.presets} role="group" aria-label="Weights to start from">
      {presets.map(({ name, weights: preset }) => (
        <button
          key={name}
          type="button"
          className={styles.preset}
          aria-pressed={isSame(preset, weights)}
          title={PRESET_TITLES[name]}
          aria-label={`${PRESET_WORDS[name]}: ${PRESET_TITLES[name].toLowerCase()}`}
          onClick={() => onChange(preset)}
        >
          {PRESET_WORDS[name]}
        </button>
      ))}
    </div>
  );
}

const PRESET_TITLES: Record<keyof typeof PRESET_WORDS, string> = {
  equal: "A third each",
  relevance: "Relevance alone",
  novelty: "Novelty alone",
  surprise: "Surprise alone",
  calibrated: "Fitted to what experts chose",
};
