import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import { Page } from "@/components/Page";
import { SessionNotStored } from "@/domains/accounts/authMessages";
import { landingPageFor, safeRedirectPath } from "@/domains/accounts/permissions";
import { ProviderSignIn } from "@/domains/accounts/sign-in/ProviderSignIn";
import { SignInForms } from "@/domains/accounts/sign-in/SignInForms";
import { currentUserQuery, useCurrentUser } from "@/lib/currentUser";
import { findPractice } from "@/study-kinds/registry";
import styles from "./SignIn.module.css";

export function SignInPage() {
  const me = useCurrentUser();
  const queries = useQueryClient();
  const practice = findPractice();
  const [search] = useSearchParams();
  const [email, setEmail] = useState("");
  // A signed-in user is redirected to the requested page, else to their landing page.
  if (me) return <Navigate to={safeRedirectPath(search.get("next")) ?? landingPageFor(me).path} replace />;
  const complete = async (signIn: () => Promise<void>) => {
    await signIn();
    // What a visitor was shown may differ for a person.
    queries.removeQueries({ predicate: (query) => query.queryKey[0] !== currentUserQuery.queryKey[0] });
    const user = await queries.fetchQuery({ ...currentUserQuery, staleTime: 0 });
    if (!user) throw new SessionNotStored("The session was lost right after signing in.");
  };
  return (
    <Page title="Sign in" width="narrow">
      {/* Only once nobody is signed in: it sends a request for the provider. */}
      {me === null && <ProviderSignIn next={search.get("next")} error={search.get("error")} />}
      <SignInForms email={email} onEmail={setEmail} complete={complete} />
      <p className={styles.aside}>
        Accounts are by invitation only. Without an account you can{" "}
        {practice && <><Link to="/practice">{practice.linkLabel.toLowerCase()}</Link>, </>}
        <Link to="/explore">explore the public graphs</Link>, read the <Link to="/leaderboard">leaderboard</Link> and see the items and
        file formats of <Link to="/releases">releases</Link>. To submit predictions or run a study, <Link to="/about#contact">write to us</Link> for an account.
      </p>
    </Page>
  );
}
