import { ErrorTable } from "@/components/FaultTable";
import { Notice } from "@/components/Notice";
import type { Validation } from "@/domains/evaluation/queries";
import { formatCount, formatPlural } from "@/lib/format";

type PredictionFault = Validation["faults"][number];

/** What the check found: everything that is wrong, with its line, or how many items are answered. */
export function ValidationReport({ report }: { report: Validation }) {
  if (report.is_valid) {
    return (
      <Notice tone="good">
        <p>The file has no error. It answers {formatCount(report.answered)} of {formatCount(report.items)} items.</p>
        {report.notices.map(({ code, message, expected }) => <p key={code}>{message} Expected: {expected}.</p>)}
      </Notice>
    );
  }
  const hidden = report.total - report.faults.length;
  return (
    <>
      <Notice tone="bad">
        <p>The file has {formatPlural(report.total, "error")}. Correct the file and choose it again; it was only checked.</p>
      </Notice>
      <ErrorTable title={hidden > 0 ? `The first ${report.faults.length} errors` : "All errors"} rows={report.faults.map(faultRow)} />
    </>
  );
}

/** The code is what the documentation lists. */
function faultRow({ line, field, item, code, message, expected, given }: PredictionFault) {
  const location = [line > 0 ? `line ${formatCount(line)}` : "file", field].filter(Boolean).join(", ");
  const shown = `${message} ${given ? `Given: ${given}. ` : ""}Code: ${code}.`;
  return { location: item ? `${location} (${item})` : location, message: shown, detail: expected };
}
