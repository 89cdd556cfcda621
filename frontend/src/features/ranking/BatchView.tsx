import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { Assignment, Id } from "@/api/contract";
import type { BoardHandle } from "@/components/ranking/RankingBoard";
import { useAnnouncer } from "@/components/useAnnouncer";
import { ActiveClock } from "@/lib/clock";
import { useLetterKeys } from "@/lib/keysSetting";
import { type Answer, type SyncEngine, useSyncState } from "@/lib/offline";
import { askToRenew } from "@/lib/session";
import { Frame } from "./Frame";
import { NoQuestions } from "./Opening";
import { byNumber, firstToDo, nextByNumber, onwardFrom, previousByNumber } from "./progress";
import { QuestionView } from "./QuestionView";
import { SidePanel, type PanelView } from "./SidePanel";
import { TopBar } from "./TopBar";
import type { Batch } from "./useBatch";
import { usePresence } from "./usePresence";

interface Props {
  engine: SyncEngine;
  batch: Batch;
}

export function BatchView({ engine, batch }: Props) {
  const [active] = useState(() => new ActiveClock());
  usePresence(batch.about.id, active);
  const way = useWay(batch);
  const [panel, setPanel] = useState<PanelView | null>(way.review ? "questions" : null);
  const [letters, chooseLetters] = useLetterKeys();
  const { say, region } = useAnnouncer();
  const held = useHeld(engine);
  const following = useRef<((answer: Answer) => boolean) | null>(null);
  const board = useRef<BoardHandle>(null);
  const generation = useGeneration(way.current, following);

  return (
    <Frame
      bar={
        <TopBar
          batch={batch}
          engine={engine}
          onQuestions={() => setPanel(panel === "questions" ? null : "questions")}
          onHelp={() => setPanel(panel === "definition" ? null : "definition")}
          onRenew={askToRenew}
          onHeld={way.openHeld}
        />
      }
    >
      {way.current ? (
        <QuestionView
          key={`${way.current.id} ${generation}`}
          assignment={way.current}
          version={batch.saved(way.current.id)?.version ?? way.current.response.version}
          batch={batch}
          engine={engine}
          active={active}
          letters={letters}
          say={say}
          following={following}
          board={board}
          panel={panel}
          onPanel={setPanel}
          onDone={way.goOn}
          {...(way.back && { onBack: way.back })}
        />
      ) : (
        <NoQuestions />
      )}
      <SidePanel
        view={panel}
        onView={setPanel}
        assignments={batch.assignments}
        current={way.current}
        held={held}
        onOpen={way.open}
        onLeft={() => board.current?.focusBack()}
        letters={letters}
        onLetters={chooseLetters}
      />
      {region}
    </Frame>
  );
}

function useHeld(engine: SyncEngine): ReadonlySet<Id> {
  const { queue } = useSyncState(engine) ?? engine.state;
  return useMemo(() => new Set(queue.filter((item) => item.hold).map((item) => item.assignment)), [queue]);
}

/** Which question is open (the address carries it), and the ways from it. */
function useWay(batch: Batch) {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const [visited, setVisited] = useState<number[]>([]);
  const { assignments, about } = batch;
  const asked = Number(search.get("q") ?? Number.NaN);
  const current = assignments.find(({ question }) => question.number === asked) ?? firstToDo(assignments) ?? byNumber(assignments)[0];
  const number = current?.question.number;

  const show = useCallback(
    (next: number, replace = false) => setSearch({ q: String(next) }, { replace }),
    [setSearch],
  );
  useEffect(() => {
    // The question that was chosen for her stays the one in the address, also when she answers it.
    if (number !== undefined && number !== asked) show(number, true);
  }, [number, asked, show]);

  const open = (next: Assignment) => {
    if (number !== undefined && next.question.number !== number) setVisited([...visited, number]);
    show(next.question.number);
  };
  const before = visited.at(-1) ?? (current && previousByNumber(assignments, current)?.question.number);
  return {
    current,
    review: search.has("review"),
    open,
    openHeld: (id: Id) => {
      const held = assignments.find((one) => one.id === id);
      if (held) open(held);
      else void navigate("/home"); // it is in another batch
    },
    goOn: () => {
      const onward = about.study.status === "closed" ? nextByNumber : onwardFrom;
      const next = current && onward(assignments, current);
      if (next) open(next);
      else void navigate(`/rank/${about.id}/end`);
    },
    back:
      before === undefined
        ? undefined
        : () => {
            setVisited(visited.slice(0, -1));
            show(before);
          },
  };
}

/** Grows when the open answer was changed elsewhere: by another tab, or by taking the saved one. */
function useGeneration(
  current: Assignment | undefined,
  following: React.RefObject<((answer: Answer) => boolean) | null>,
): number {
  const [generation, setGeneration] = useState(0);
  const response = current?.response;
  const id = current?.id;
  const last = useRef(id);
  const known = useMemo(() => ({ id, response }), [id, response]);
  useEffect(() => {
    const moved = last.current !== known.id;
    last.current = known.id;
    if (!moved && known.response && following.current?.(known.response) === false) setGeneration((old) => old + 1);
  }, [known, following]);
  return generation;
}
