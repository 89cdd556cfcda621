import type { ScaledAnswer, ScaledItem } from "@/domains/studies/scales/scaledAnswer";

export type RatingsItem = ScaledItem & { details: string };

export type RatingsAnswer = ScaledAnswer;
