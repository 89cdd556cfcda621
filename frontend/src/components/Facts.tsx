import type { ComponentProps, ReactNode } from "react";
import styles from "./Facts.module.css";

/** Names and values, as many beside each other as fit. A class may set `--fact-width`. */
export function Facts({ className = "", ...props }: ComponentProps<"dl">) {
  return <dl {...props} className={`${styles.facts} ${className}`.trim()} />;
}

export function Fact({ name, className, children }: { name: string; className?: string | undefined; children: ReactNode }) {
  return <div className={className}><dt>{name}</dt><dd>{children}</dd></div>;
}
