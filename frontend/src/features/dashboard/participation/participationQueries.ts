import { useQuery } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Id, Participation } from "@/api/contract";
import { dashboardKey } from "@/domains/studies/dashboardKey";
import { readQuery } from "@/lib/readQuery";
import { useStudyMutation } from "../queries";

const studyPath = (study: Id) => `/api/v1/studies/${study}`;

/** Read again with the dashboard. */
export const useParticipation = (study: Id) =>
  useQuery(readQuery<Participation>([...dashboardKey(study), "participation"], `${studyPath(study)}/participation`));

export const useRemoveExpert = (study: Id, onDone: () => void) =>
  useStudyMutation(study, ({ expert, withAnswers }: { expert: Id; withAnswers: boolean }) =>
    request<void>(`${studyPath(study)}/experts/${expert}/removal`, { method: "POST", json: { with_answers: withAnswers } }), onDone);

/** Of an expert or, as what is needed, of a batch. */
export const useSetTags = (study: Id) =>
  useStudyMutation(study, ({ of, id, tags }: { of: "experts" | "batches"; id: Id; tags: string[] }) =>
    request<{ tags: string[] }>(`${studyPath(study)}/${of}/${id}/tags`, { method: "PUT", json: { tags } }));

export interface NewConflict {
  expert_id: Id;
  batch: number;
  question: number;
  reason: string;
}

export const useDeclareConflict = (study: Id) =>
  useStudyMutation(study, (json: NewConflict) => request<void>(`${studyPath(study)}/conflicts`, { method: "POST", json }));
