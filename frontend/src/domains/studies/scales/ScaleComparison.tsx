import { DataTable } from "@/components/DataTable";
import type { ComparisonProps } from "@/domains/studies/studyKind";
import { formatPlural } from "@/lib/format";
import { LEVELS, levelOf, scaleText, type ScaledAnswer, type ScaledItem } from "./scaledAnswer";

/** Of each scale how often each level was chosen, and by whom. */
export function ScaleComparison({ item, answers }: ComparisonProps<ScaledItem, ScaledAnswer>) {
  return (
    <DataTable label="Levels of each scale" columns={["Scale", "Negative, tie, positive", "Experts"]}>
      {item.scales.map(({ name, question }) => {
        const levels = answers.flatMap(({ payload }) => levelOf(payload, name) ?? []);
        return (
          <tr key={name}>
            <th scope="row" title={question}>{name}</th>
            <td>{countText(levels)}</td>
            <td>{answers.map((one) => `${one.name} ${scaleText(one.payload, name) || "no answer"}`).join("; ")}</td>
          </tr>
        );
      })}
    </DataTable>
  );
}

/** '1 negative, 0 tie, 3 positive (1 × 2, 3 × 5)'. */
function countText(levels: number[]): string {
  if (!levels.length) return "no level";
  const count = (isCounted: (level: number) => boolean) => levels.filter(isCounted).length;
  const each = LEVELS.filter((level) => levels.includes(level)).map((level) => `${level} by ${formatPlural(count((one) => one === level), "expert")}`);
  return `${count((level) => level < 3)}, ${count((level) => level === 3)}, ${count((level) => level > 3)} (${each.join(", ")})`;
}
