import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Assignment, Id, Thread } from "@/api/contract";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Notice } from "@/components/Notice";
import { MessageForm } from "@/domains/studies/threads/MessageForm";
import { ThreadMessages } from "@/domains/studies/threads/ThreadMessages";
import { markRead, ownThreadsQuery, useThreadMutation } from "@/domains/studies/threads/threads";
import { useSyncState, type SyncEngine } from "@/lib/offline";
import { toStorableText } from "@/lib/offline/writeLimits";
import { uuid } from "@/lib/uuid";

interface Props {
  assignment: Assignment;
  thread: Thread | undefined;
  engine: SyncEngine;
  isOpen: boolean;
  onClose: () => void;
}

/** Of activity entries that are messages; the server takes them also after the study closed. */
const MESSAGE = { kind: "message_sent", interface: "thread-1" };

/** What is written goes with the activity log, so that it waits on the device without a connection. */
export function ThreadDialog({ assignment, thread, engine, isOpen, onClose }: Props) {
  const { error } = useQuery(ownThreadsQuery);
  const { mutate: read } = useThreadMutation(ownThreadsQuery.queryKey, markRead);
  const waiting = useWaitingMessages(engine, assignment.id);
  const { id, unread = 0 } = thread ?? {};
  useEffect(() => {
    if (isOpen && id !== undefined && unread > 0) read(id);
  }, [isOpen, id, unread, read]);
  return (
    <Dialog title="Ask the coordinators" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <p>About question {assignment.item.number}. Only the coordinators of the study and you see it.</p>
      {error && <Notice>Earlier messages need a connection. What you write is stored and sent later.</Notice>}
      {thread?.is_resolved && <Notice>The coordinators marked this as resolved. A new message opens it again.</Notice>}
      <ThreadMessages messages={thread?.messages ?? []} waiting={waiting} />
      <MessageForm
        label="Message"
        hint="What is unclear, or wrong? Your answer is not changed."
        onSend={(text) => sendMessage(engine, assignment.id, text)}
      >
        <Button size="large" onPress={onClose}>Back to the question</Button>
      </MessageForm>
    </Dialog>
  );
}

/** Stored before it is sent: nothing that was written is lost. */
async function sendMessage(engine: SyncEngine, resource: Id, text: string): Promise<void> {
  const entry = { id: uuid(), kind: MESSAGE.kind, at: new Date().toISOString(), active_ms: 0, old: null, new: toStorableText(text) };
  await engine.recordActivity({ resource, interface: MESSAGE.interface, entries: [entry] });
  void engine.sendNow();
}

/** What waits to be sent; whenever something was, the thread is read again. */
function useWaitingMessages(engine: SyncEngine, resource: Id): { id: Id; text: string }[] {
  const queries = useQueryClient();
  const { activity } = useSyncState(engine) ?? engine.state;
  const waiting = activity
    .filter((one) => one.resource === resource && one.entry.kind === MESSAGE.kind)
    .map(({ id, entry }) => ({ id, text: String(entry.new) }));
  const count = waiting.length;
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current) void queries.invalidateQueries({ queryKey: ownThreadsQuery.queryKey });
    before.current = count;
  }, [queries, count]);
  return waiting;
}
