import { useMutation, useQueryClient } from "@tanstack/react-query";
import { confirmCode } from "@/api/auth";
import type { Me } from "@/api/contract";
import { meQuery } from "@/lib/me";
import { CodeByMail } from "./CodeByMail";

const WORDS = { ask: "Confirm your address", use: "Confirm", using: "Confirming" };

/** Whoever came by a link alone shows that mail to the address reaches her. */
export function ConfirmAddress({ me, onConfirmed }: { me: Me; onConfirmed?: () => void }) {
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: async (code: string) => {
      await confirmCode(code);
      await queries.fetchQuery({ ...meQuery, staleTime: 0 });
    },
    onSuccess: () => onConfirmed?.(),
  });
  return (
    <>
      <p>
        A code is sent to {me.email}. Using it signs out every other browser
        {me.has_password && " and ends the password; you can then set a new one"}.
      </p>
      <CodeByMail email={me.email} words={WORDS} using={confirm} />
    </>
  );
}
