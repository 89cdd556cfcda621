import type { ExpertBatch } from "@/api/contract";

type TextToRead = NonNullable<ExpertBatch["study"]["to_read"]>;

/** What an expert has to read before the next question: the link to it, and why. */
export const TEXTS_TO_READ: Record<TextToRead, { label: string; reason: string }> = {
  introduction: { label: "Read the introduction", reason: "First a short introduction; then you decide whether to take part." },
  consent: { label: "Read what has changed", reason: "The text that you agreed to has changed: read it and decide again." },
  guidelines: { label: "Read the guidelines", reason: "The study has new guidelines: read them first." },
};
