import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { computationsQuery, hasEnded } from "./api";

/** Hers, followed while any is under way: the server says that one moved on, else it is asked. */
export function useComputations(enabled = true) {
  const [isLive, setLive] = useState(false);
  const query = useQuery(computationsQuery(isLive, enabled));
  const queries = useQueryClient();
  const open = (query.data ?? []).filter((one) => !hasEnded(one)).map(({ id }) => id).join(" ");
  useEffect(() => {
    if (open) return listen(open.split(" "), queries, setLive);
    return undefined;
  }, [open, queries]);
  return query;
}

/** One line for each that is under way; if any of them is lost, the page asks by itself again. */
function listen(ids: string[], queries: QueryClient, onLive: (isLive: boolean) => void): () => void {
  const heard = new Set<string>();
  const sockets = ids.map((id) => {
    const socket = new WebSocket(`${window.location.origin.replace(/^http/, "ws")}/ws/computations/${id}`);
    socket.onopen = () => {
      heard.add(id);
      onLive(heard.size === ids.length);
    };
    socket.onmessage = () => void queries.invalidateQueries({ queryKey: ["computations"] });
    socket.onclose = () => onLive(false);
    return socket;
  });
  return () => {
    onLive(false);
    for (const socket of sockets) {
      socket.onopen = null;
      socket.onmessage = null;
      socket.onclose = null;
      socket.close();
    }
  };
}
