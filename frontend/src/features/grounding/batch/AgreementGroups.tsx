import type { ReactNode } from "react";
import { DataTable } from "@/components/DataTable";
import type { VerifierAgreement } from "@/domains/evaluation/groundedness";
import { formatCount } from "@/lib/format";
import { SOURCE_LABELS } from "../labels";
import { coefficientWithInterval, shareWithInterval } from "./figures";

const KINDS = { entities: "Types of entities", graph: "Graph" } as const;
const COLUMNS = ["Claims of", "Part", "Evidence", { label: "Claims", isNumeric: true }, "Agreement", "Kappa"];

/** The agreement by what claims are about, and by graph; nothing where there are too few claims. */
export function AgreementGroups({ label, agreements, title }: { label: string; agreements: VerifierAgreement[]; title: ReactNode }) {
  if (agreements.every(({ groups }) => groups.length === 0)) return null;
  return (
    <details>
      <summary>{title}</summary>
      <DataTable label={label} folds columns={COLUMNS}>
        {agreements.flatMap(({ source, groups }) =>
          groups.map(({ kind, group, verdicts, agreement, kappa }) => (
            <tr key={`${source} ${kind} ${group}`}>
              <th scope="row"><bdi>{group}</bdi></th>
              <td>{KINDS[kind]}</td>
              <td>{SOURCE_LABELS[source]}</td>
              <td data-numeric className="number">{formatCount(verdicts)}</td>
              <td className="number">{agreement ? shareWithInterval(agreement) : "none"}</td>
              <td className="number">{kappa ? coefficientWithInterval(kappa) : "undefined: one verdict only"}</td>
            </tr>
          )),
        )}
      </DataTable>
    </details>
  );
}
