import { confirmCode } from "@/api/auth";
import { CodeByMail } from "@/components/CodeByMail";
import { useRenewal } from "./useRenewal";

const WORDS = { ask: "Send me a code", use: "Sign in", using: "Signing in" };

export function ByCode({ email }: { email: string }) {
  return <CodeByMail email={email} words={WORDS} using={useRenewal(confirmCode)} />;
}
