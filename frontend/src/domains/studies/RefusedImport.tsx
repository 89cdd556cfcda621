import { ErrorTable, errorRows } from "@/components/FaultTable";
import { Notice } from "@/components/Notice";
import { errorsTitle, type ImportError } from "./importError";

interface Props {
  refusal: ImportError;
  /** Instead of its own, which speaks of a name. */
  message?: string;
  level?: 2 | 3;
}

/** Why a file was refused, with all of its errors. */
export function RefusedImport({ refusal, message = refusal.message, level = 2 }: Props) {
  return (
    <>
      <Notice tone="bad"><p>{message}</p></Notice>
      {refusal.errors.length > 0 && <ErrorTable title={errorsTitle(refusal)} rows={errorRows(refusal.errors)} level={level} />}
    </>
  );
}
