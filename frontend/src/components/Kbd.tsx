import styles from "./Kbd.module.css";

/** A key to press; drawn only where there is likely a keyboard, and not read out with the label. */
export function Kbd({ children }: { children: string }) {
  return <kbd className={styles.kbd} aria-hidden>{children}</kbd>;
}
