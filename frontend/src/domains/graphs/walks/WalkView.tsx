import { ChevronLeft, ChevronRight, Download, Pause, Play } from "lucide-react";
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState, type ReactNode } from "react";
import { Button } from "@/components/Button";
import { CopyLink } from "@/components/CopyLink";
import legend from "@/components/Legend.module.css";
import { onDemand } from "@/components/onDemand";
import { SkeletonRows } from "@/components/SkeletonRows";
import { toSvg } from "@/domains/graphs/drawing/imageExport";
import { TypeIcon } from "@/domains/graphs/TypeIcon";
import { typeStyles } from "@/domains/graphs/typeStyles";
import { TypeStylesContext } from "@/domains/graphs/useTypeStyles";
import { saveFile } from "@/lib/downloads";
import { formatCount, formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { countOffered, describeEntity, frameAt, listChosen, type Walk, type WalkFrame } from "./walk";
import styles from "./Walk.module.css";
import type { WalkDrawingHandle } from "./WalkDrawing";

const WalkDrawing = onDemand(async () => (await import("./WalkDrawing")).default);

const STEP_MS = 1_500;

interface Props {
  walk: Walk;
  /** Of a step: 'level' or 'call'. */
  noun: string;
  /** Further steps may come; then the last one is followed. */
  isGrowing: boolean;
  /** Name of the file of the drawing, its title, and the line below it. */
  figure: { name: string; title: string; line: string };
  /** The address of the trajectory. */
  json: string;
  /** The step in words; 0 is before the first. */
  children: (level: number) => ReactNode;
}

/** A walk that can be followed and replayed: the drawing, a slider, and each step in words. The address has the step. */
export function WalkView({ walk, noun, isGrowing, figure, json, children }: Props) {
  const last = walk.steps.length;
  const [level, setLevel] = useLevel(last, isGrowing);
  const [selected, select] = useState("");
  const looks = useMemo(() => typeStyles(typesOf(walk)), [walk]);
  const frame = useMemo(() => frameAt(walk, level, looks), [walk, level, looks]);
  const drawing = useRef<WalkDrawingHandle>(null);
  const saveFigure = () => {
    const image = drawing.current?.image();
    if (!image) return;
    const title = `${figure.title}, ${levelText(noun, level, last)}`;
    const svg = toSvg(frame.picture, image.positions, image.colours, { title, line: figure.line });
    saveFile(new Blob([svg], { type: "image/svg+xml" }), `${figure.name}-${noun}-${level}.svg`);
  };
  const sentence = stepSentence(walk, level, noun);
  return (
    <TypeStylesContext value={looks}>
      <section className={styles.walk} aria-label="Walk">
        <Replay level={level} last={last} noun={noun} onLevel={setLevel} />
        <div className={styles.both}>
          <div className={styles.pictured}>
            <WalkDrawing frame={frame} label={`Drawing of the walk. ${sentence}`} selected={selected} onSelect={select} handle={drawing} waiting={<SkeletonRows rows={6} height={56} />} />
            <Signs frame={frame} />
            <p className={styles.quiet} role="status">{describeEntity(walk, level, selected, noun) || "Choose an entity of the drawing to read how it was reached."}</p>
          </div>
          <div className={styles.words}>
            <p>{sentence}</p>
            {children(level)}
          </div>
        </div>
        <div className={styles.tools}>
          <CopyLink url={() => addressOf(level)} />
          <Button onPress={saveFigure}><Download size={16} aria-hidden /> Figure (SVG)</Button>
          <a href={json} download={`${figure.name}.json`}>Trajectory (JSON)</a>
        </div>
      </section>
    </TypeStylesContext>
  );
}

const typesOf = ({ root, steps }: Walk) => [...(root ? [root] : []), ...steps.flatMap(({ frontier, offered }) => [...frontier, ...offered.map(({ target }) => target)])].map(({ type }) => type);

/** The step that the address names at first, else the last one. The address follows, and is not waited for: keys may come fast. */
function useLevel(last: number, isGrowing: boolean): [number, (level: number) => void] {
  const [params, change] = useUrlParams();
  const [chosen, setChosen] = useState(() => readLevel(params.get("level")));
  const choose = (next: number) => {
    const level = isGrowing && next >= last ? null : next;
    setChosen(level);
    change({ level: level === null ? null : String(level) });
  };
  return [chosen === null ? last : Math.min(chosen, last), choose];
}

/** Null follows the last step. */
const readLevel = (text: string | null) => (text !== null && /^[0-9]{1,6}$/.test(text) ? Number(text) : null);

/** With the step also where the page shows the last one. */
function addressOf(level: number): string {
  const address = new URL(window.location.href);
  address.searchParams.set("level", String(level));
  return address.href;
}

function levelText(noun: string, level: number, last: number): string {
  return level === 0 ? "the start" : `${noun} ${formatCount(level)} of ${formatCount(last)}`;
}

interface ReplayProps {
  level: number;
  last: number;
  noun: string;
  onLevel: (level: number) => void;
}

function Replay({ level, last, noun, onLevel }: ReplayProps) {
  const id = useId();
  const [isPlaying, setPlaying] = useState(false);
  const next = useEffectEvent(() => {
    if (level < last) onLevel(level + 1);
    if (level + 1 >= last) setPlaying(false);
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => next(), STEP_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  const choose = (to: number) => {
    setPlaying(false);
    onLevel(to);
  };
  const play = () => {
    if (!isPlaying && level >= last) onLevel(0);
    setPlaying(!isPlaying);
  };
  const text = levelText(noun, level, last);
  const Icon = isPlaying ? Pause : Play;
  return (
    <div className={styles.replay} role="group" aria-label="Replay">
      <Button onPress={play} isDisabled={last === 0}><Icon size={16} aria-hidden /> {isPlaying ? "Pause" : "Play"}</Button>
      <Button size="icon" aria-label={`One ${noun} back`} isDisabled={level === 0} onPress={() => choose(level - 1)}><ChevronLeft size={16} aria-hidden /></Button>
      <input
        id={id}
        type="range"
        className={styles.slider}
        aria-label="Step of the walk"
        aria-valuetext={text}
        min={0}
        max={last}
        step={1}
        value={level}
        disabled={last === 0}
        onChange={(event) => choose(Number(event.target.value))}
      />
      <Button size="icon" aria-label={`One ${noun} on`} isDisabled={level >= last} onPress={() => choose(level + 1)}><ChevronRight size={16} aria-hidden /></Button>
      <output htmlFor={id} className={styles.position}>{text.charAt(0).toUpperCase() + text.slice(1)}</output>
    </div>
  );
}

function Signs({ frame: { picture } }: { frame: WalkFrame }) {
  const entities = picture.nodes.filter((node) => node.kind === "entity");
  const types = [...new Set(entities.map(({ type }) => type))];
  const hasHit = entities.some(({ mark }) => mark === "hit");
  return (
    <ul className={legend.legend} aria-label="Signs">
      {types.map((type) => <li key={type}><TypeIcon type={type} /> {type}</li>)}
      <li><Sign kind="frontier" /> of this step</li>
      <li><Sign kind="chosen" /> chosen</li>
      <li><Sign kind="offered" /> offered</li>
      {hasHit && <li><Sign kind="hit" /> hit</li>}
    </ul>
  );
}

function Sign({ kind }: { kind: string }) {
  return <svg width={12} height={12} viewBox="0 0 12 12" aria-hidden className={styles.sign} data-kind={kind}><circle cx={6} cy={6} r={4.5} /></svg>;
}

/** What the step did, in one sentence. */
function stepSentence(walk: Walk, level: number, noun: string): string {
  const step = walk.steps[level - 1];
  if (!step) return "Nothing was offered yet.";
  const chosen = listChosen(step);
  const hits = chosen.filter(({ id }) => walk.hits.has(id)).length;
  const hitText = hits > 0 ? `, ${formatCount(hits)} of them in the serendipity set` : "";
  const offered = countOffered(step);
  return `At ${noun} ${formatCount(level)}, ${formatPlural(offered, "entity", "entities")} ${offered === 1 ? "was" : "were"} offered and ${formatCount(chosen.length)} chosen${hitText}.`;
}
