import { useState } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import { Page } from "@/components/Page";
import { Segments } from "@/components/Segments";
import { landingFor, safePath } from "@/lib/access";
import { useMe } from "@/lib/me";
import { CodeSignIn } from "./CodeSignIn";
import { PasswordSignIn } from "./PasswordSignIn";
import styles from "./SignIn.module.css";

type Way = "code" | "password";

const WAYS: { value: Way; label: string }[] = [
  { value: "code", label: "Code by e-mail" },
  { value: "password", label: "Password" },
];

export function SignInPage() {
  const me = useMe();
  const [search] = useSearchParams();
  const [way, setWay] = useState<Way>("code");
  const [email, setEmail] = useState("");
  // Whoever is signed in, now or already, goes on to what was asked for, else to her work.
  if (me) return <Navigate to={safePath(search.get("next")) ?? landingFor(me).to} replace />;
  return (
    <Page title="Sign in" width="narrow">
      <Segments label="How to sign in" options={WAYS} value={way} onChange={setWay} />
      {way === "code" ? (
        <CodeSignIn email={email} onEmail={setEmail} />
      ) : (
        <PasswordSignIn email={email} onEmail={setEmail} />
      )}
      <p className={styles.aside}>
        Accounts are made by invitation. Without one you can still <Link to="/practice">rank a practice question</Link>,{" "}
        <Link to="/explore">explore the public graphs</Link> and read the <Link to="/leaderboard">leaderboard</Link>.
      </p>
    </Page>
  );
}
