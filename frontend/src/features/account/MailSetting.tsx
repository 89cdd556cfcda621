import { useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { CurrentUser } from "@/api/contract";
import { LabelledCheckbox } from "@/components/ChoiceGroup";
import { Notice } from "@/components/Notice";
import { currentUserQuery } from "@/lib/currentUser";
import { errorMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";

/** Whether a message comes with each result of a submission. */
export function MailSetting({ me }: { me: CurrentUser }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (isOn: boolean) => request<{ user: CurrentUser | null }>("/api/v1/me", { method: "PATCH", json: { mails_results: isOn } }),
    onSuccess: ({ user }) => queries.setQueryData(currentUserQuery.queryKey, user),
  });
  return (
    <>
      <LabelledCheckbox isSelected={change.isPending ? change.variables : me.mails_results} onChange={(isOn) => change.mutate(isOn)}>
        Send me an e-mail when a submission is scored or has failed
      </LabelledCheckbox>
      {change.isError && <Notice tone="bad">{errorMessage(change.error)}</Notice>}
      <span role="status" className="visually-hidden">{change.isSuccess ? "Saved" : ""}</span>
    </>
  );
}
