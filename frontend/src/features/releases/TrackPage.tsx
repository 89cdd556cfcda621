import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { trackLabel } from "@/domains/evaluation/labels";
import { trackQuery } from "@/domains/evaluation/queries";
import { TrackFormat } from "@/domains/evaluation/TrackFormat";
import styles from "./Releases.module.css";
import { TrackPrompts } from "./TrackPrompts";
import { TrackText } from "./TrackText";

const PARENT = { to: "/releases", label: "Releases" };
const FILES = { predictions: "Predictions", release_source: "Files of a release" } as const;

/** What the files of a track hold, and how it is scored. */
export function TrackPage() {
  const { slug = "" } = useParams();
  const track = useQuery(trackQuery(slug));
  return (
    <PageBoundary query={track} title="Track" parent={PARENT} rows={6}>
      {(data) => (
        <Page title={trackLabel(data)} parent={PARENT} intro={data.description}>
          {Object.entries(FILES).map(([file, title]) => (
            <section key={file} className={styles.section} aria-label={title}>
              <h2>{title}</h2>
              <TrackFormat track={slug} file={file as keyof typeof FILES} hasLink={false} />
            </section>
          ))}
          <TrackPrompts track={slug} />
          {data.documentation && (
            <section className={styles.section} aria-label="Fields, metrics and slices">
              <h2>Fields, metrics and slices</h2>
              <TrackText text={data.documentation} />
            </section>
          )}
        </Page>
      )}
    </PageBoundary>
  );
}
