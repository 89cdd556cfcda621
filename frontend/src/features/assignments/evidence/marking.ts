import { createContext } from "react";
import type { Marking } from "@/domains/studies/marks/marks";

/** Null where the answers of the study have no marks. */
export const MarkingContext = createContext<Marking | null>(null);
