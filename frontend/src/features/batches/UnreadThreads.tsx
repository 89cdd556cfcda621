import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Notice } from "@/components/Notice";
import { ownThreadsQuery, unreadLabel } from "@/domains/studies/threads/threads";

/** What coordinators answered since the expert read it last, with the way to each question. */
export function UnreadThreads() {
  const { data = [] } = useQuery(ownThreadsQuery);
  return data.filter(({ unread, batch }) => unread > 0 && batch !== null).map(({ id, unread, batch, number, question_text: text }) => (
    <Notice key={id}>{unreadLabel(unread)} about <Link to={`/rank/${batch}?q=${number}`}>question {number}</Link>: {text}</Notice>
  ));
}
