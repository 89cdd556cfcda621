import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router";
import { signInWithPassword } from "@/api/auth";
import { EnterPassword } from "@/components/sign-in/EnterPassword";
import { TextField } from "@/components/TextField";
import { useArrive } from "./useArrive";

interface Props {
  email: string;
  onEmail: (email: string) => void;
}

export function PasswordSignIn({ email, onEmail }: Props) {
  const arrive = useArrive();
  const signIn = useMutation({
    mutationFn: async (password: string) => {
      await signInWithPassword(email, password);
      await arrive();
    },
  });
  return (
    <EnterPassword
      address={
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          value={email}
          onChange={onEmail}
          isRequired
        />
      }
      isReady={email !== ""}
      error={signIn.error}
      busy={signIn.isPending}
      onPassword={(password) => signIn.mutate(password)}
    >
      <Link to="/reset-password">Forgotten the password</Link>
    </EnterPassword>
  );
}
