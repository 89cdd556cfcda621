import { signInWithPassword } from "@/api/auth";
import { EnterPassword } from "@/components/sign-in/EnterPassword";
import { useRenewal } from "./useRenewal";

export function ByPassword({ email }: { email: string }) {
  const renewal = useRenewal((password: string) => signInWithPassword(email, password));
  return (
    <EnterPassword
      // So that a password manager knows whose password it is.
      address={<input type="hidden" name="username" autoComplete="username" value={email} readOnly />}
      autoFocus
      error={renewal.error}
      busy={renewal.isPending}
      onPassword={(password) => renewal.mutate(password)}
    />
  );
}
