import { useEffect, useEffectEvent, useState } from "react";
import { ReconnectingSocket, type ConnectionState, type SocketEvents } from "./ReconnectingSocket";

type Handlers = Omit<SocketEvents, "onStateChange">;

/** Keeps a socket open while the component is mounted and `path` is not null. */
export function useSocket(path: string | null, handlers: Handlers): ConnectionState {
  const [state, setState] = useState<ConnectionState>("connecting");
  const onOpened = useEffectEvent(handlers.onOpened);
  const onRefused = useEffectEvent(handlers.onRefused);
  const onMessage = useEffectEvent(handlers.onMessage);
  useEffect(() => {
    if (path === null) return undefined;
    const socket = new ReconnectingSocket(socketUrl(path), {
      onStateChange: setState,
      onOpened: () => onOpened(),
      onRefused: () => onRefused(),
      onMessage: (message) => onMessage(message),
    });
    socket.open();
    const reconnect = () => document.visibilityState === "visible" && socket.reconnectNow();
    const disconnect = () => socket.disconnect();
    window.addEventListener("online", reconnect);
    window.addEventListener("offline", disconnect);
    document.addEventListener("visibilitychange", reconnect);
    return () => {
      window.removeEventListener("online", reconnect);
      window.removeEventListener("offline", disconnect);
      document.removeEventListener("visibilitychange", reconnect);
      socket.close();
      setState("connecting");
    };
  }, [path]);
  return state;
}

function socketUrl(path: string): string {
  const { protocol, host } = window.location;
  return `${protocol === "https:" ? "wss" : "ws"}://${host}${path}`;
}
