import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Board, Id } from "@/api/contract";
import { invitationsKey } from "@/components/invitations/invitations";
import { meQuery } from "@/lib/me";
import { folded, Line, type LineState, type News } from "./line";
import { boardKey, invitationsPath } from "./queries";

const FOLD_MS = 400;

/** Keeps the board as new as the server says it is; how it is heard from. */
export function useLive(study: Id): LineState {
  const queries = useQueryClient();
  const [state, setState] = useState<LineState>("connecting");
  useEffect(() => {
    const reader = (queryKey: string[]) => folded(() => queries.invalidateQueries({ queryKey }), FOLD_MS);
    const readBoard = reader(boardKey(study));
    const readInvitations = reader(invitationsKey(invitationsPath(study)));
    const hear = ({ what, version }: News) => {
      if (what === "invitations") readInvitations();
      const known = queries.getQueryData<Board>(boardKey(study))?.version ?? 0;
      if (version > known) readBoard();
    };
    const readAll = () => {
      readBoard();
      readInvitations();
    };
    const line = new Line(addressOf(study), {
      onState: setState,
      onOpened: readAll,
      // Signed out, or no longer a coordinator: the answers to these say which.
      onRefused: () => {
        readBoard();
        void queries.invalidateQueries({ queryKey: meQuery.queryKey });
      },
      onNews: hear,
    });
    line.open();
    const hurry = () => document.visibilityState === "visible" && line.hurry();
    const drop = () => line.drop();
    window.addEventListener("online", hurry);
    window.addEventListener("offline", drop);
    document.addEventListener("visibilitychange", hurry);
    return () => {
      window.removeEventListener("online", hurry);
      window.removeEventListener("offline", drop);
      document.removeEventListener("visibilitychange", hurry);
      line.close();
    };
  }, [queries, study]);
  return state;
}

function addressOf(study: Id): string {
  const { protocol, host } = window.location;
  return `${protocol === "https:" ? "wss" : "ws"}://${host}/ws/studies/${study}`;
}
