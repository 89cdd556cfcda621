import { useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { Dashboard, ExpertProgress, Id, QueuedQuestion, Reminder, SentReminders, Study, Thread } from "@/api/contract";
import { dashboardKey } from "@/domains/studies/dashboardKey";
import type { ConnectionState } from "@/lib/ReconnectingSocket";
import { readListQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";

/** Nothing announces the end of presence, so the dashboard is loaded again now and then. */
const LIVE_REFETCH_MS = 60_000;
export const POLL_MS = 15_000;

export function invitationsPath(study: Id): string {
  return `/api/v1/studies/${study}/invitations`;
}

export function useDashboard(study: Id, line: ConnectionState) {
  return useQuery({
    queryKey: dashboardKey(study),
    queryFn: () => request<Dashboard>(`/api/v1/studies/${study}/board`),
    refetchInterval: line === "live" ? LIVE_REFETCH_MS : POLL_MS,
  });
}

/** A change of the study, after which its dashboard is read again, also where it failed. */
/** `onDone`: it succeeded, and what the page shows was read again. */
export function useStudyMutation<Input, Result>(study: Id, send: (input: Input) => Promise<Result>, onDone?: (input: Input) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: async (_, error, input) => {
      await Promise.all([dashboardKey(study), ["studies"]].map((queryKey) => queries.invalidateQueries({ queryKey })));
      if (error === null) onDone?.(input);
    },
  });
}

export const useChangeStudy = (study: Id) =>
  useStudyMutation(study, (json: Partial<Pick<Study, "status" | "description" | "contact" | "closes_on">>) =>
    request<Study>(`/api/v1/studies/${study}`, { method: "PATCH", json }));

export const useAssign = (study: Id) =>
  useStudyMutation(study, ({ expert, batches }: { expert: Id; batches: Id[] }) =>
    request<{ batches: Id[] }>(`/api/v1/studies/${study}/experts/${expert}/batches`, { method: "PUT", json: { batches } }));

/** Lets an expert answer who has not passed the qualification. */
export const useWaiveQualification = (study: Id) =>
  useStudyMutation(study, (expert: Id) =>
    request<ExpertProgress["qualification"]>(`/api/v1/studies/${study}/experts/${expert}/qualification`, { method: "POST" }));

/** The graph whose evidence the experts see: 'slug@number', or empty for none. */
export const usePinGraph = (study: Id) =>
  useStudyMutation(study, (graph: string) =>
    request<Study>(`/api/v1/studies/${study}/graph`, { method: "PUT", json: { graph } }));

/** Below the dashboard's key: what makes that be read again does the same here. */
export const studyThreadsQuery = (study: Id) => readListQuery<Thread>([...dashboardKey(study), "threads"], `/api/v1/studies/${study}/threads`);

/** Without anything of the experts' answers. */
export const adjudicationsQuery = (study: Id) =>
  readListQuery<QueuedQuestion>([...dashboardKey(study), "adjudications"], `/api/v1/studies/${study}/adjudications`);

const remindersPath = (study: Id) => `/api/v1/studies/${study}/reminders`;

/** Who can be reminded, read anew each time: the text has today's figures. */
export const useReminders = (study: Id) =>
  useQuery(readListQuery<Reminder>(["reminders", study], remindersPath(study), { gcTime: 0 }));

export const useSendReminders = (study: Id) =>
  useStudyMutation(study, (experts: Id[]) => request<SentReminders>(remindersPath(study), { method: "POST", json: { experts } }));
