import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";
import { request } from "@/api/client";
import { Button, ButtonLink } from "@/components/Button";
import { FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { safeRedirectPath } from "@/domains/accounts/permissions";
import { useSignOut } from "@/domains/accounts/useSignOut";
import { currentUserQuery } from "@/lib/currentUser";
import { errorMessage, hasErrorCode } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";

/**
 * The page of a link from an e-mail. Opening it changes nothing, because programs that scan mail
 * open it too; its button signs in. The token is in the fragment, which no server log sees, and
 * the next question takes the place of this address in the history.
 */
export function ContinuePage() {
  const token = useLocation().hash.replace(/^#/, "");
  return (
    <Page title="Continue where you stopped" width="narrow">
      {token ? <SignInByLink key={token} token={token} /> : <IncompleteLink />}
    </Page>
  );
}

function SignInByLink({ token }: { token: string }) {
  const signIn = useLink(token);
  if (hasErrorCode(signIn.error, "link_ended")) return <EndedLink token={token} />;
  if (hasErrorCode(signIn.error, "link_unknown")) return <IncompleteLink />;
  if (hasErrorCode(signIn.error, "other_account")) return <OtherAccount message={errorMessage(signIn.error)} />;
  return (
    <>
      {signIn.isError && <Notice tone="bad">{errorMessage(signIn.error)}</Notice>}
      <p>One press signs you in and opens your next question.</p>
      <div>
        <Button variant="primary" size="large" autoFocus isDisabled={signIn.isPending} onPress={() => signIn.mutate()}>
          Open my next question
        </Button>
      </div>
    </>
  );
}

function useLink(token: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => request<{ path: string }>("/api/v1/sign-in-links/use", { method: "POST", json: { token } }),
    onSuccess: async ({ path }) => {
      // What a visitor was shown may differ for a person.
      queries.removeQueries({ predicate: (query) => query.queryKey[0] !== currentUserQuery.queryKey[0] });
      await queries.fetchQuery({ ...currentUserQuery, staleTime: 0 });
      await navigate(safeRedirectPath(path) ?? "/home", { replace: true });
    },
  });
}

function EndedLink({ token }: { token: string }) {
  const renewal = useMutation({
    mutationFn: () => request<void>("/api/v1/sign-in-links/renew", { method: "POST", json: { token } }),
  });
  if (renewal.isSuccess) return <Notice><p>A new link is on its way to your address. It works once.</p></Notice>;
  return (
    <>
      {renewal.isError && <Notice tone="bad">{errorMessage(renewal.error)}</Notice>}
      <p>This link was used already, or has expired. You can have a new one sent to your address.</p>
      <FormActions>
        <Button variant="primary" size="large" autoFocus isDisabled={renewal.isPending} onPress={() => renewal.mutate()}>Send a new link</Button>
        <ButtonLink to="/sign-in?next=/next" size="large">Sign in</ButtonLink>
      </FormActions>
    </>
  );
}

function IncompleteLink() {
  return (
    <>
      <p>The link is not complete. Copy all of it from the e-mail, or sign in.</p>
      <div><ButtonLink to="/sign-in?next=/next" variant="primary" size="large">Sign in</ButtonLink></div>
    </>
  );
}

/** Signed in as somebody else, often a colleague on the same computer. */
function OtherAccount({ message }: { message: string }) {
  const leaving = useSignOut({ to: "/sign-in?next=/next" });
  return (
    <>
      <Notice tone="warn"><p>{message}</p></Notice>
      <div><Button size="large" onPress={leaving.request}>Sign out</Button></div>
      {leaving.dialog}
    </>
  );
}
