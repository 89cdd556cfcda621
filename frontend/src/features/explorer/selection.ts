import { createContext } from "react";

export type Selection = [selected: string, select: (id: string) => void];

/** What is selected where words and picture stand side by side: both show the same. */
export const SharedSelection = createContext<Selection | null>(null);
