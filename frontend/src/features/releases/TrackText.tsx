import type { ReactNode } from "react";
import { DataTable } from "@/components/DataTable";
import { ExternalLink } from "@/components/ExternalLink";
import styles from "./Releases.module.css";

/** The Markdown of a track's page: headings, tables, paragraphs, code and links; the rest is shown as it is. */
export function TrackText({ text }: { text: string }) {
  const blocks = text.split(/\n(?=#)|\n{2,}/).map((block) => block.trim());
  return blocks.filter((block) => block && !block.startsWith("# ")).map((block, at) => <Block key={at} text={block} />);
}

function Block({ text }: { text: string }) {
  if (text.startsWith("## ")) return <h3>{text.slice(3)}</h3>;
  if (!text.startsWith("|")) return <p className={styles.written}>{inline(text)}</p>;
  const [head = [], , ...rows] = text.split("\n").map(cells);
  return (
    <DataTable label={head.join(" and ")} minWidth={320} columns={head}>
      {rows.map((row, at) => <tr key={at}>{row.map((cell, place) => <td key={place}>{inline(cell)}</td>)}</tr>)}
    </DataTable>
  );
}

const cells = (line: string) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim().replaceAll("\\|", "|"));

function inline(text: string): ReactNode[] {
  return text.split(/(`[^`]+`|\[[^\]]+\]\(https:[^)\s]+\))/).map((part, at) => {
    if (part.startsWith("`") && part.length > 1) return <code key={at}>{part.slice(1, -1)}</code>;
    const [, label, url] = /^\[([^\]]+)\]\((https:[^)\s]+)\)$/.exec(part) ?? [];
    return url ? <ExternalLink key={at} href={url}>{label}</ExternalLink> : part;
  });
}
