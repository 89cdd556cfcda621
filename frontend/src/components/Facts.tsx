import type { ComponentProps } from "react";
import styles from "./Facts.module.css";

/** Names and values, as many beside each other as fit. A class may set `--fact-width`. */
export function Facts({ className = "", ...props }: ComponentProps<"dl">) {
  return <dl {...props} className={`${styles.facts} ${className}`.trim()} />;
}
