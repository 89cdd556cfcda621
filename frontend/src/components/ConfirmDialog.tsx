import type { ReactNode } from "react";
import { errorMessage } from "@/lib/errorMessages";
import { Button } from "./Button";
import { Dialog, DialogActions } from "./Dialog";
import { Notice } from "./Notice";

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** The label of the button, and the one while it is done. */
  confirmLabel: string;
  busyLabel: string;
  /** The label of the way back. */
  cancelLabel?: string;
  onConfirm: () => void;
  /** What confirming starts. */
  mutation: { isPending: boolean; error: unknown };
  children: ReactNode;
}

/** A question before something that is not lightly undone; the way back has the focus. */
export function ConfirmDialog({ title, isOpen, onClose, confirmLabel, busyLabel, cancelLabel = "Cancel", onConfirm, mutation, children }: Props) {
  const { isPending, error } = mutation;
  return (
    <Dialog title={title} isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      {children}
      {error ? <Notice tone="bad">{errorMessage(error)}</Notice> : null}
      <DialogActions>
        <Button size="large" onPress={onClose} autoFocus>{cancelLabel}</Button>
        <Button variant="primary" size="large" onPress={onConfirm} isDisabled={isPending}>
          {isPending ? busyLabel : confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
