import { useMutation } from "@tanstack/react-query";
import { isStillHers } from "@/lib/session";

/** One step of signing in; the server's own word decides whether it is she. */
export function useRenewal<Given>(signIn: (given: Given) => Promise<void>) {
  return useMutation({
    mutationFn: async (given: Given) => {
      // Another tab may have renewed it; and asking brings a fresh token where cookies were cleared.
      if (await isStillHers()) return;
      await signIn(given);
      await isStillHers();
    },
  });
}
