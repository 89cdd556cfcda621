import { useLocation } from "react-router";
import { ResultStatus } from "@/components/ResultStatus";

/** The state of the page that opens after a withdrawal. */
export interface WithdrawalState {
  withdrawnFrom: string;
}

/** On the page that opens after a withdrawal: which study it was. */
export function WithdrawalStatus() {
  const state = useLocation().state as Partial<WithdrawalState> | null;
  if (!state?.withdrawnFrom) return null;
  return <ResultStatus message={`You withdrew from ${state.withdrawnFrom}.`} />;
}
