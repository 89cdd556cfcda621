import { Switch } from "react-aria-components";
import type { ShortcutHelp, StudyKind } from "@/domains/studies/studyKind";
import { formatInSentence } from "@/lib/format";
import styles from "./ShortcutList.module.css";

const GENERAL_SHORTCUTS: ShortcutHelp[] = [[["Ctrl ↵"], "the main button: agree, or submit my answer"]];

function singleKeyShortcuts({ alternative, definition, ownEvidence }: StudyKind): ShortcutHelp[] {
  return [
    [["A", "A"], "one after the other: confirm the answer shown"],
    ...(alternative ? [[[alternative.key.toUpperCase()], alternative.label.toLowerCase()] satisfies ShortcutHelp] : []),
    ...(ownEvidence ? [] : [[["E"], "evidence, where the study has a graph; again to go there"] satisfies ShortcutHelp]),
    [["H"], formatInSentence(definition.heading)],
    [["?"], "these keys"],
  ];
}

interface Props {
  kind: StudyKind;
  shortcutsEnabled: boolean;
  onShortcutsEnabledChange: (isEnabled: boolean) => void;
}

export function ShortcutList({ kind, shortcutsEnabled, onShortcutsEnabledChange }: Props) {
  return (
    <div className={styles.keys}>
      <p>{kind.shortcuts.intro}</p>
      <ShortcutKeys rows={[...kind.shortcuts.general, ...GENERAL_SHORTCUTS]} />
      <Switch className={styles.switch ?? ""} isSelected={shortcutsEnabled} onChange={onShortcutsEnabledChange}>
        <span className={styles.track} aria-hidden><span className={styles.knob} /></span>
        {kind.shortcuts.switchLabel}
      </Switch>
      {shortcutsEnabled ? <ShortcutKeys rows={[...kind.shortcuts.singleKeys, ...singleKeyShortcuts(kind)]} /> : <p className={styles.off}>{kind.shortcuts.offText}</p>}
    </div>
  );
}

function ShortcutKeys({ rows }: { rows: ShortcutHelp[] }) {
  return (
    <dl className={styles.list}>
      {rows.map(([keys, what]) => (
        <div key={what}>
          <dt>{keys.map((key, index) => <kbd key={index} className={styles.key}>{key}</kbd>)}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
