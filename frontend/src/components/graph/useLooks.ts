import { createContext, use } from "react";
import { lookOf, type Looks } from "@/lib/graphs/looks";

/** How the types of the graph that is shown are told apart. */
export const LooksContext = createContext<Looks>(lookOf);

export function useLooks(): Looks {
  return use(LooksContext);
}
