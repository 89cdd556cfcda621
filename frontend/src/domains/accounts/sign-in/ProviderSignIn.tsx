import { useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { useMutation } from "@/lib/useMutation";
import styles from "./ProviderSignIn.module.css";

const ADDRESS = "/api/v1/sign-in/provider";

const ERRORS: Record<string, string> = {
  cancelled: "The sign-in was cancelled. Start again, or use a code.",
  signup_closed: "No account here has a verified address of yours. Ask the person who invited you.",
  permission_denied: "This account cannot sign in this way. Use a code, or ask the person who invited you.",
};
const FAILED = "The sign-in with the provider failed. Start again, or use a code.";
const UNAVAILABLE = "The provider does not answer. Try again, or use a code.";

interface Props {
  /** The page to open afterwards. */
  next: string | null;
  /** Why the provider's answer signed nobody in. */
  error: string | null;
  /** Leaves the site; tests replace it. */
  open?: (address: string) => void;
}

/** A button for the site's provider of OpenID Connect; nothing without one. */
export function ProviderSignIn({ next, error, open = openPage }: Props) {
  const provider = useQuery({
    queryKey: ["sign-in", "provider"],
    queryFn: () => request<{ name: string }>(ADDRESS),
    staleTime: Infinity,
  });
  const begin = useMutation({
    mutationFn: () => request<{ url: string }>(ADDRESS, { method: "POST", json: { next: next ?? "" } }),
    onSuccess: ({ url }) => open(url),
  });
  const name = provider.data?.name;
  return (
    <>
      {error && <Notice tone="bad">{ERRORS[error] ?? FAILED}</Notice>}
      {begin.error && <Notice tone="bad">{UNAVAILABLE}</Notice>}
      {name && (
        <div className={styles.provider}>
          <Button size="large" onPress={() => begin.mutate()} isDisabled={begin.isPending || begin.isSuccess}>
            Sign in with {name}
          </Button>
          <p>Or without it:</p>
        </div>
      )}
    </>
  );
}

function openPage(address: string) {
  window.location.assign(address);
}
