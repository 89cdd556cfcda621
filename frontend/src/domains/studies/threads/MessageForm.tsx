import { useState, type ReactNode } from "react";
import { Button } from "@/components/Button";
import { Form } from "@/components/Form";
import { TextField } from "@/components/TextField";
import styles from "./Threads.module.css";
import { MAX_MESSAGE } from "./threads";

interface Props {
  label: string;
  hint?: string;
  isSending?: boolean;
  /** The text is emptied once this resolves. */
  onSend: (text: string) => Promise<unknown>;
  /** Another button, before the one that sends. */
  children?: ReactNode;
}

export function MessageForm({ label, hint, isSending = false, onSend, children }: Props) {
  const [text, setText] = useState("");
  const isReady = text.trim() !== "" && !isSending;
  const send = async () => {
    if (!isReady) return;
    await onSend(text.trim());
    setText("");
  };
  return (
    <Form onSubmit={() => void send()}>
      <TextField label={label} {...(hint && { hint })} rows={3} maxLength={MAX_MESSAGE} value={text} onChange={setText} />
      <div className={styles.send}>
        {children}
        <Button type="submit" variant="primary" size="large" isDisabled={!isReady}>{isSending ? "Sending" : "Send the message"}</Button>
      </div>
    </Form>
  );
}
