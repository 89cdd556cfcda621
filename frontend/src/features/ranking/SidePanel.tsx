import { X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { Dialog as AriaDialog, Modal, ModalOverlay } from "react-aria-components";
import type { Assignment, Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { Definition } from "@/components/definition";
import { Segments } from "@/components/Segments";
import { KeyList } from "./KeyList";
import { QuestionList } from "./QuestionList";
import styles from "./SidePanel.module.css";

export type PanelView = "definition" | "questions" | "keys";

const VIEWS: { value: PanelView; label: string }[] = [
  { value: "definition", label: "Definition" },
  { value: "questions", label: "Questions" },
  { value: "keys", label: "Keys" },
];

interface Props {
  view: PanelView | null;
  onView: (view: PanelView | null) => void;
  assignments: Assignment[];
  current: Assignment | undefined;
  held: ReadonlySet<Id>;
  onOpen: (assignment: Assignment) => void;
  /** Takes the focus where what had it before is gone. */
  onLeft: () => void;
  letters: boolean;
  onLetters: (on: boolean) => void;
}

/** Beside the cards where there is room, so that they stay put; else over the page. */
export function SidePanel({ view, onView, assignments, current, held, onOpen, onLeft, letters, onLetters }: Props) {
  const wide = useWide();
  if (!view) return null;
  const close = () => onView(null);
  const open = (assignment: Assignment) => {
    if (!wide) close();
    onOpen(assignment);
  };
  const content = (
    <>
      <div className={styles.head}>
        <Segments label="What to show here" options={VIEWS} value={view} onChange={onView} />
        <Button look="quiet" size="icon" onPress={close} aria-label="Close">
          <X size={18} aria-hidden />
        </Button>
      </div>
      <div className={styles.body} tabIndex={0} role="region" aria-label={VIEWS.find(({ value }) => value === view)?.label}>
        {view === "definition" && <Definition />}
        {view === "questions" && <QuestionList assignments={assignments} current={current} held={held} onOpen={open} />}
        {view === "keys" && <KeyList letters={letters} onLetters={onLetters} />}
      </div>
    </>
  );
  return wide ? (
    <Beside onClose={close} onLeft={onLeft}>
      {content}
    </Beside>
  ) : (
    <Over onClose={close}>{content}</Over>
  );
}

interface PlaceProps {
  onClose: () => void;
  children: ReactNode;
}

function Beside({ onClose, onLeft, children }: PlaceProps & Pick<Props, "onLeft">) {
  const panel = useRef<HTMLElement>(null);
  const left = useEffectEvent(onLeft);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    panel.current?.focus();
    return () => {
      // It went with the panel; where she is elsewhere already, she stays there.
      if (document.activeElement !== document.body) return;
      if (before?.isConnected) before.focus();
      else left();
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from any part
    <aside
      ref={panel}
      className={styles.beside}
      aria-label="Help and questions"
      tabIndex={-1}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      {children}
    </aside>
  );
}

function Over({ onClose, children }: PlaceProps) {
  return (
    <ModalOverlay className={styles.overlay ?? ""} isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className={styles.sheet ?? ""}>
        <AriaDialog className={styles.over ?? ""} aria-label="Help and questions">
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

const ROOM = "(min-width: 1180px)";

function useWide(): boolean {
  const [wide, setWide] = useState(() => window.matchMedia(ROOM).matches);
  useEffect(() => {
    const media = window.matchMedia(ROOM);
    const look = () => setWide(media.matches);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, []);
  return wide;
}
