import { useMutation } from "@tanstack/react-query";
import { confirmCode, requestCode } from "@/api/auth";
import { EnterCode } from "@/components/sign-in/EnterCode";
import { SendCode } from "@/components/sign-in/SendCode";
import { useRenewal } from "./useRenewal";

export function ByCode({ email }: { email: string }) {
  const send = useMutation({ mutationFn: () => requestCode(email) });
  const renewal = useRenewal(confirmCode);
  if (!send.isSuccess) return <SendCode onSend={() => send.mutate()} busy={send.isPending} error={send.error} />;
  return (
    <EnterCode
      sent={`A code is on its way to ${email}.`}
      error={renewal.error}
      busy={renewal.isPending}
      onCode={(code) => renewal.mutate(code)}
      onAgain={() => {
        renewal.reset();
        send.mutate();
      }}
    />
  );
}
