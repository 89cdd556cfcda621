import styles from "@/domains/studies/scales/Scales.module.css";

export function Details({ text }: { text: string }) {
  if (!text.trim()) return null;
  return <section className={styles.details} aria-label="Details"><p>{text.trim()}</p></section>;
}
