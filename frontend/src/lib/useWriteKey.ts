import { useRef } from "react";

/** The key of a write: a repeated press has that of the one before it. */
export function useWriteKey() {
  const sent = useRef({ text: "", key: "" });
  return {
    keyOf: (text: string) => {
      if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
      return sent.current.key;
    },
    forget: () => {
      sent.current = { text: "", key: "" };
    },
  };
}
