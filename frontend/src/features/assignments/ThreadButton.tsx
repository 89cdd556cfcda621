import { useQuery } from "@tanstack/react-query";
import { Flag } from "lucide-react";
import { useState } from "react";
import type { Assignment, Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { onDemand } from "@/components/onDemand";
import { ownThreadsQuery, unreadLabel } from "@/domains/studies/threads/threads";
import type { SyncEngine } from "@/lib/offline";

const ThreadDialog = onDemand(async () => (await import("./ThreadDialog")).ThreadDialog);

interface Props {
  assignment: Assignment;
  study: Id;
  engine: SyncEngine;
}

/** The expert's thread with the coordinators about this question. */
export function ThreadButton({ assignment, study, engine }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const thread = useQuery(ownThreadsQuery).data?.find((one) => one.question === assignment.item.id && one.study === study);
  const unread = thread?.unread ?? 0;
  const open = () => {
    setOpen(true);
    setWasOpen(true);
  };
  return (
    <>
      <Button variant="quiet" onPress={open} aria-label={`Flag: ask the coordinators${unread ? `, ${unreadLabel(unread)}` : ""}`}>
        <Flag size={16} aria-hidden />
        Flag
        {unread > 0 && <b className="number">{unread}</b>}
      </Button>
      {wasOpen && <ThreadDialog assignment={assignment} thread={thread} engine={engine} isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}
