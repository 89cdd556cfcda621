import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { onDemand } from "@/components/onDemand";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { Skeleton } from "@/components/Skeleton";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { canOpen } from "@/domains/accounts/permissions";
import { CorrectionNotice } from "@/domains/evaluation/CorrectionNotice";
import { RELEASE_STATES } from "@/domains/evaluation/labels";
import { releaseQuery, type Release } from "@/domains/evaluation/queries";
import { useCurrentUser } from "@/lib/currentUser";
import { useRecentPlace } from "@/lib/recentPlaces";
import { ItemSection } from "./ItemSection";
import { MaskedGraphs } from "./MaskedGraphs";

import { ReleaseFacts } from "./ReleaseFacts";
import styles from "./Releases.module.css";
import { ResolutionSection } from "./ResolutionSection";

// Dialogs and forms of the organisers, which visitors never load.
const StateActions = onDemand(async () => (await import("./StateActions")).StateActions);
const OrganiserSection = onDemand(async () => (await import("./OrganiserSection")).OrganiserSection);
const SealedSection = onDemand(async () => (await import("./SealedSection")).SealedSection);
const UnjudgedSection = onDemand(async () => (await import("./pool/UnjudgedSection")).UnjudgedSection);

const PARENT = { to: "/releases", label: "Releases" };

/** The data card of a release, and for its organisers what they do with it. */
export function ReleasePage() {
  const { slug = "" } = useParams();
  const release = useQuery(releaseQuery(slug));
  useRecentPlace("Release", release.data?.name, `/releases/${slug}`);
  return (
    <PageBoundary query={release} title="Release" parent={PARENT} rows={6}>
      {(data) => (
        <Page
          title={data.name}
          parent={PARENT}
          width="wide"
          aside={<><Tag>{RELEASE_STATES[data.state]}</Tag>{data.is_sealed && <Tag>sealed</Tag>}{data.is_demo && <Tag>demo</Tag>}</>}
          actions={<Links release={data} />}
        >
          <CorrectionNotice release={data} />
          {data.corrects && <Notice><p>This release corrects <Link to={`/releases/${data.corrects}`}>{data.corrects_name}</Link>.</p></Notice>}
          {data.can_change && <StateActions release={data} waiting={<Skeleton height={36} />} />}
          {data.unseals && <Notice><p>Scores predictions that were <Link to={`/releases/${data.unseals}`}>sealed</Link> before these links were known.</p></Notice>}
          {data.is_sealed && <SealedSection release={data} waiting={<SkeletonRows rows={4} />} />}
          <ReleaseFacts release={data} />
          {data.can_change && (
            <>
              <OrganiserSection release={data} waiting={<SkeletonRows rows={4} />} />
              <UnjudgedSection release={data} />
            </>
          )}
          <MaskedGraphs release={data} />
          <ResolutionSection release={data} />
          <Written title="Data card" text={data.data_card} />
          <Written title="Terms" text={data.terms} />
          <Written title="Citation" text={data.citation} />
          <ItemSection release={data} />
        </Page>
      )}
    </PageBoundary>
  );
}

function Links({ release: { slug, track, state, is_sealed: isSealed, has_discoveries: hasDiscoveries } }: { release: Release }) {
  const me = useCurrentUser();
  const maySubmit = state === "open" && me && canOpen(me, "researcher");
  return (
    <>
      {me && <ButtonLink to={`/releases/${slug}/reports`}>Report an item</ButtonLink>}
      {hasDiscoveries && <ButtonLink to={`/releases/${slug}/discoveries`}>Discoveries</ButtonLink>}
      {!isSealed && <ButtonLink to={`/releases/${slug}/changes`}>Rank changes</ButtonLink>}
      <ButtonLink to={`/tracks/${track}`}>Track</ButtonLink>
      {!isSealed && <ButtonLink to={`/leaderboard/${track}?release=${slug}`}>Leaderboard</ButtonLink>}
      {maySubmit && !isSealed && <ButtonLink to={`/releases/${slug}/run`}>Run a model</ButtonLink>}
      {maySubmit && <ButtonLink to={`/submissions/new?release=${slug}`} variant="primary">{isSealed ? "Seal predictions" : "Submit predictions"}</ButtonLink>}
    </>
  );
}

/** Plain text of the organiser, with its own line breaks. */
function Written({ title, text }: { title: string; text: string }) {
  if (!text) return null;
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      <p className={styles.written}>{text}</p>
    </section>
  );
}
