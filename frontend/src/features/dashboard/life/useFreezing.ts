import type { Id } from "@/api/contract";
import type { Job } from "@/domains/jobs/jobs";
import { useJobs } from "@/domains/jobs/useJob";

/** The newest job that freezes this study, of those that the user may list. */
export const useFreezing = (study: Id): Job | undefined => useJobs("study-freeze", `study:${study}`).data?.[0];
