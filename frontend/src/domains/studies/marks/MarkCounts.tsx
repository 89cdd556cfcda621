import { formatPlural } from "@/lib/format";

/** How often each piece of evidence was marked, over all experts; nothing where nothing was. */
export function MarkCounts({ marks }: { marks: { key: string; text: string }[] }) {
  const texts = new Map(marks.map(({ key, text }) => [key, text]));
  if (!texts.size) return null;
  return (
    <ul aria-label="What decided">
      {[...texts].map(([key, text]) => (
        <li key={key}>Marked by {formatPlural(marks.filter((one) => one.key === key).length, "expert")}: “{text}”</li>
      ))}
    </ul>
  );
}
