import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { request } from "@/api/client";
import type { Id, Thread } from "@/api/contract";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { dashboardKey } from "@/domains/studies/dashboardKey";
import { MessageForm } from "@/domains/studies/threads/MessageForm";
import { ThreadMessages } from "@/domains/studies/threads/ThreadMessages";
import { markRead, useThreadMutation } from "@/domains/studies/threads/threads";
import { errorMessage } from "@/lib/errorMessages";
import { uuid } from "@/lib/uuid";
import { studyThreadsQuery } from "../queries";
import styles from "./Questions.module.css";

/** What experts wrote to the coordinators about a question, each expert apart. */
export function QuestionThreads({ study, question }: { study: Id; question: Id }) {
  const { data = [] } = useQuery(studyThreadsQuery(study));
  return data.filter((one) => one.question === question).map((thread) => <ExpertThread key={thread.id} study={study} thread={thread} />);
}

function ExpertThread({ study, thread }: { study: Id; thread: Thread }) {
  const { id, unread, expert, is_resolved: isResolved } = thread;
  const key = dashboardKey(study);
  const path = `/api/v1/threads/${id}`;
  const { mutate: read } = useThreadMutation([...key, "threads"], markRead);
  const answer = useThreadMutation(key, (text: string) => request<void>(`${path}/messages`, { method: "POST", json: { id: uuid(), text } }));
  const resolve = useThreadMutation(key, (json: { is_resolved: boolean }) => request<void>(path, { method: "PATCH", json }));
  const error = answer.error ?? resolve.error;
  useEffect(() => {
    if (unread > 0) read(id);
  }, [read, id, unread]);
  return (
    <section className={styles.thread} aria-label={`Thread with ${expert}`}>
      <h4>Thread with {expert}{isResolved && ", resolved"}</h4>
      <ThreadMessages messages={thread.messages} />
      {error && <Notice tone="bad">{errorMessage(error)}</Notice>}
      <MessageForm label={`Answer to ${expert}`} hint="Other experts do not see it." isSending={answer.isPending} onSend={answer.mutateAsync} />
      <div>
        <Button isDisabled={resolve.isPending} onPress={() => resolve.mutate({ is_resolved: !isResolved })}>{isResolved ? "Open the thread again" : "Mark as resolved"}</Button>
      </div>
    </section>
  );
}
