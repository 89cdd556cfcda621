import type { ReactNode } from "react";
import { errorMessage } from "@/lib/errorMessages";
import { Button } from "./Button";
import { DialogActions } from "./Dialog";
import { Form } from "./Form";
import { Notice } from "./Notice";

interface Props {
  onSubmit: () => void;
  onCancel: () => void;
  submitLabel: string;
  busyLabel: string;
  isReady?: boolean;
  mutation: { isPending: boolean; error: unknown };
  /** The text for an error; null where it is shown elsewhere. */
  toMessage?: (error: unknown) => string | null;
  children: ReactNode;
}

/** A form inside a dialog, with what went wrong above its buttons. */
export function DialogForm({ onSubmit, onCancel, submitLabel, busyLabel, mutation, children, ...props }: Props) {
  const { isReady = true, toMessage = errorMessage } = props;
  const { isPending, error } = mutation;
  const message = error ? toMessage(error) : null;
  return (
    <Form onSubmit={() => isReady && !isPending && onSubmit()}>
      {children}
      {message && <Notice tone="bad">{message}</Notice>}
      <DialogActions>
        <Button size="large" onPress={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" size="large" isDisabled={!isReady || isPending}>
          {isPending ? busyLabel : submitLabel}
        </Button>
      </DialogActions>
    </Form>
  );
}
