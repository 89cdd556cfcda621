import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import styles from "./Dialog.module.css";

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  /** False where leaving without an answer would lose something. */
  isDismissable?: boolean;
  width?: number;
  children: ReactNode;
}

export function DialogWindow({ title, isOpen, onOpenChange, isDismissable = true, width, children }: DialogProps) {
  return (
    <ModalOverlay
      className={styles.overlay ?? ""}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
    >
      <Modal className={styles.modal ?? ""} style={width ? ({ "--dialog-width": `${width}px` } as Record<string, string>) : {}}>
        <AriaDialog className={styles.dialog ?? ""}><Heading slot="title" level={2}>{title}</Heading>{children}</AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
