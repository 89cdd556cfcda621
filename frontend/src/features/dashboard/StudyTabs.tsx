import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Id } from "@/api/contract";
import { unreadLabel } from "@/domains/studies/threads/threads";
import { studyThreadsQuery } from "./queries";
import styles from "./StudyTabs.module.css";

const STUDY_TABS = [
  { key: "progress", label: "Progress" },
  { key: "questions", label: "Questions" },
  { key: "adjudication", label: "Adjudication" },
  { key: "statistics", label: "Statistics" },
  { key: "preview", label: "Preview" },
  { key: "guidelines", label: "Guidelines" },
  { key: "participation", label: "Participation" },
  { key: "webhooks", label: "Webhooks" },
] as const;

/** Reached by the menu of the study. */
const RARE_TAB = "webhooks";

export type StudyTab = (typeof STUDY_TABS)[number]["key"];

/** The tab that the address names; the first where it names none. */
export function studyTab(params: URLSearchParams): StudyTab {
  return STUDY_TABS.find(({ key }) => key === params.get("tab"))?.key ?? "progress";
}

/** Scrolls the row, not the page, to the current tab: a phone shows three of them. */
function scrollToTab(link: HTMLAnchorElement | null) {
  const row = link?.parentElement;
  if (row) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
}

/** Links, so that each part of a study can be sent to a colleague. */
export function StudyTabs({ study, current }: { study: Id; current: StudyTab }) {
  const { data = [] } = useQuery(studyThreadsQuery(study));
  const unread = data.reduce((sum, thread) => sum + thread.unread, 0);
  return (
    <nav aria-label="Parts of the study" className={styles.tabs}>
      {STUDY_TABS.filter(({ key }) => key !== RARE_TAB || key === current).map(({ key, label }) => (
        <Link key={key} ref={key === current ? scrollToTab : null} to={key === "progress" ? "?" : `?tab=${key}`} aria-current={key === current ? "page" : undefined} preventScrollReset>
          <span>{label}{key === "questions" && unread > 0 && <> <b className={styles.unread}>{unreadLabel(unread)}</b></>}</span>
        </Link>
      ))}
    </nav>
  );
}
