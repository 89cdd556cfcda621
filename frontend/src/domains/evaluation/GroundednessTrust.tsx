import { Link } from "react-router";
import { agreementText, type VerifierAgreement } from "./groundedness";

/** Stands beside every share that a verifier judged: whether experts would judge alike. */
export function GroundednessTrust({ agreements }: { agreements: VerifierAgreement[] }) {
  if (agreements.length === 0) return null;
  return (
    <p>
      <Link to="/judges">Experts agree with this verifier</Link> on claims: {agreements.map(agreementText).join("; ")}.
    </p>
  );
}
