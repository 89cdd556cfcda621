import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { trackLabel } from "@/domains/evaluation/labels";
import { promptsQuery, trackQuery } from "@/domains/evaluation/queries";
import { TrackFormat } from "@/domains/evaluation/TrackFormat";
import { isFirstAttempt } from "@/lib/firstAttempt";
import styles from "./Releases.module.css";
import { TrackPrompts } from "./TrackPrompts";
import { TrackText } from "./TrackText";

const PARENT = { to: "/releases", label: "Releases" };
const FILES = { predictions: "Predictions", release_source: "Files of a release" } as const;

/** What the files of a track hold, and how it is scored. */
export function TrackPage() {
  const { slug = "" } = useParams();
  const track = useQuery(trackQuery(slug));
  const prompts = useQuery(promptsQuery);
  return (
    <PageBoundary query={track} title="Track" parent={PARENT} rows={6}>
      {(data) => (
        <Page title={trackLabel(data)} parent={PARENT} intro={data.description}>
          {Object.entries(FILES).map(([file, title]) => (
            <section key={file} className={styles.section} aria-label={title}>
              <h2>{title}</h2>
              <TrackFormat track={data} file={file as keyof typeof FILES} hasLink={false} />
            </section>
          ))}
          {/* What stands below the prompts comes with them, so that it does not move. */}
          {isFirstAttempt(prompts) ? <div aria-busy="true"><SkeletonRows rows={12} height={48} /></div> : (
            <>
              <TrackPrompts track={slug} prompts={prompts.data ?? []} />
              <Documentation text={data.documentation} />
            </>
          )}
        </Page>
      )}
    </PageBoundary>
  );
}

function Documentation({ text }: { text: string }) {
  if (!text) return null;
  return (
    <section className={styles.section} aria-label="Fields, metrics and slices">
      <h2>Fields, metrics and slices</h2>
      <TrackText text={text} />
    </section>
  );
}
