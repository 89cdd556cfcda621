import { ChevronDown, Download, UserPlus } from "lucide-react";
import { useState } from "react";
import type { Board, Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { Confirm } from "@/components/Confirm";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { PartitionButton } from "./PartitionButton";
import { useChangeStatus } from "./queries";

type StudyOfBoard = Board["study"];

export function BoardActions({ study, onInvite }: { study: StudyOfBoard; onInvite: () => void }) {
  return (
    <>
      <ExportMenu study={study.id} />
      {study.status === "closed" && <PartitionButton study={study.id} />}
      <StatusButton study={study} />
      <Button look="primary" onPress={onInvite}>
        <UserPlus size={16} aria-hidden />
        Invite
      </Button>
    </>
  );
}

const FORMS = [
  { key: "json", label: "JSON" },
  { key: "csv", label: "CSV" },
];

function ExportMenu({ study }: { study: Id }) {
  const link = (key: string, query: string) => `/api/v1/studies/${study}/export.${key}${query}`;
  return (
    <Menu
      label="Export all answers"
      trigger={
        <Button>
          <Download size={16} aria-hidden />
          Export
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <MenuSection title="Experts as pseudonyms">
        {FORMS.map(({ key, label }) => (
          <MenuItem key={key} id={key} label={label} href={link(key, "")} download />
        ))}
      </MenuSection>
      <MenuSection title="With the experts’ names">
        {FORMS.map(({ key, label }) => (
          <MenuItem key={key} id={`${key}-names`} label={`${label} with names`} href={link(key, "?names=1")} download />
        ))}
      </MenuSection>
    </Menu>
  );
}

const CLOSING = {
  button: "Close the study",
  title: "Close this study?",
  text: "Experts can still read their answers, but nobody can answer until you open it again. Nothing is lost. Once it is closed, you can make partitions of the experts’ order.",
  action: "Close it",
  doing: "Closing",
} as const;

const OPENING = {
  button: "Open the study",
  title: "Open this study again?",
  text: "Experts can answer and change their answers again, from where they stopped.",
  action: "Open it",
  doing: "Opening",
} as const;

function StatusButton({ study }: { study: StudyOfBoard }) {
  const [asking, setAsking] = useState(false);
  const change = useChangeStatus(study.id);
  const isOpen = study.status === "open";
  const words = isOpen ? CLOSING : OPENING;
  const close = () => {
    setAsking(false);
    change.reset();
  };
  return (
    <>
      <Button onPress={() => setAsking(true)}>
        {words.button}
      </Button>
      <Confirm
        title={words.title}
        isOpen={asking}
        onClose={close}
        action={words.action}
        doing={words.doing}
        onConfirm={() => change.mutate(isOpen ? "closed" : "open", { onSuccess: close })}
        busy={change.isPending}
        error={change.error}
      >
        <p>{words.text}</p>
      </Confirm>
    </>
  );
}
