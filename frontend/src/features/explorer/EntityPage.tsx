import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Route } from "lucide-react";
import { Fragment, useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { ExternalLink } from "@/components/ExternalLink";
import { onDemand } from "@/components/onDemand";
import { useFocusHeading } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Skeleton } from "@/components/Skeleton";
import { SkeletonRows } from "@/components/SkeletonRows";
import { entityUrl, pathsUrl, searchUrl } from "@/domains/graphs/graphUrls";
import { TypeLabel } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { isNotFound } from "@/lib/errorMessages";
import { formatCount } from "@/lib/format";
import { useRecentPlace } from "@/lib/recentPlaces";
import { entityQuery, type Entity, type GraphDetail, type Identifier } from "./api";
import { DocumentSections } from "./Document";
import styles from "./Entity.module.css";
import { EntityHistory } from "./EntityHistory";
import { EntityPapers } from "./EntityPapers";
import { ExplorerFrame } from "./ExplorerFrame";
import { Relations } from "./Relations";
import { SaveViewButton } from "./SaveView";
import { SharedSelection } from "./selection";
import { useWideScreen } from "./useWideScreen";

const Neighbourhood = onDemand(async () => (await import("./neighbourhood/Neighbourhood")).Neighbourhood);

const MAX_SYNONYMS = 12;

/** One entity: its details, and on a wide screen its neighbourhood beside them. */
export function EntityPage() {
  const { curie = "" } = useParams();
  const { data } = useQuery(entityQuery(useGraphParams(), curie));
  return <ExplorerFrame current={data?.name ?? curie}>{(graph) => <EntityView key={curie} graph={graph} curie={curie} />}</ExplorerFrame>;
}

function EntityView({ graph, curie }: { graph: GraphDetail; curie: string }) {
  const where = useGraphParams();
  const [params] = useSearchParams();
  const selection = useState(params.get("sel") ?? curie);
  const entity = useQuery(entityQuery(where, curie));
  const isWide = useWideScreen();
  useRecentPlace("Entity", entity.data?.name, entityUrl(where, curie));
  return (
    <SharedSelection value={selection}>
      <div className={styles.layout}>
        <div className={styles.words}>
          {entity.isError && <EntityNotFound isMissing={isNotFound(entity.error)} />}
          <QueryBoundary query={entity} skeleton={<EntitySkeleton />}>
            {(data) => <EntityDetails key={data.id} entity={data} graph={graph} isWide={isWide} />}
          </QueryBoundary>
          {isNotFound(entity.error) && <p><Link to={searchUrl(where)}>Search {graph.name}</Link></p>}
        </div>
        {isWide && !entity.isError && (
          <section className={styles.near} aria-label="Neighbourhood">
            {entity.data && (
              <Neighbourhood key={entity.data.id} graph={graph} focus={entity.data.id} isBeside waiting={<div aria-busy="true" className={styles.nearWaiting}><Skeleton height={360} /></div>} />
            )}
          </section>
        )}
      </div>
    </SharedSelection>
  );
}

/** What went wrong is shown under it. */
function EntityNotFound({ isMissing: missing }: { isMissing: boolean }) {
  const heading = useFocusHeading(missing ? "Not found" : "Not loaded");
  return <h1 ref={heading} tabIndex={-1}>{missing ? "Entity not found" : "The entity could not be loaded"}</h1>;
}

function EntitySkeleton() {
  return (
    <div className={styles.shape}>
      <Skeleton height={32} width={260} />
      <Skeleton height={20} width="70%" />
      <Skeleton height={96} />
      <SkeletonRows rows={6} height={32} />
    </div>
  );
}

function EntityDetails({ entity, graph, isWide }: { entity: Entity; graph: GraphDetail; isWide: boolean }) {
  const where = useGraphParams();
  const heading = useFocusHeading(entity.name);
  return (
    <>
      <BackToResults />
      <header className={styles.head}>
        <div className={styles.title}>
          <h1 ref={heading} tabIndex={-1}>{entity.name}</h1>
          <TypeLabel type={entity.type} />
        </div>
        <div className={styles.actions}>
          <ButtonLink to={pathsUrl(where, entity.id)}><Route size={16} aria-hidden />Path to</ButtonLink>
          <SaveViewButton suggested={entity.name} snapshot={entity.snapshot} />
        </div>
      </header>
      <Identifiers all={entity.identifiers} />
      <Synonyms all={entity.synonyms} />
      <DocumentSections sections={entity.document} />
      {!isWide && (
        <section className={styles.inline} aria-label="Neighbourhood">
          <Neighbourhood key={entity.id} graph={graph} focus={entity.id} isBeside waiting={<Skeleton height={360} />} />
        </section>
      )}
      <Relations entity={entity} graph={graph} />
      {graph.date_unit === "year" && <EntityHistory id={entity.id} />}
      <EntityPapers id={entity.id} />
    </>
  );
}

/** Some chemicals have a thousand: what is below must not be pushed out of sight by them. */
function Synonyms({ all }: { all: string[] }) {
  const [isWhole, setWhole] = useState(false);
  if (all.length === 0) return null;
  const isLong = all.length > MAX_SYNONYMS + 3;
  const shown = isLong && !isWhole ? all.slice(0, MAX_SYNONYMS) : all;
  return (
    <div className={styles.synonyms}>
      <p>
        Also called {shown.map((name, at) => <Fragment key={at}>{at > 0 && ", "}<bdi>{name}</bdi></Fragment>)}
      </p>
      {isLong && (
        <Button variant="quiet" onPress={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? "Show fewer names" : `Show all ${formatCount(all.length)} names`}
        </Button>
      )}
    </div>
  );
}

function BackToResults() {
  const where = useGraphParams();
  const [params] = useSearchParams();
  const q = params.get("q");
  if (!q) return null;
  return <Link to={searchUrl(where, q)} className={styles.back}><ArrowLeft size={14} aria-hidden />Results for “{q}”</Link>;
}

function Identifiers({ all }: { all: Identifier[] }) {
  return (
    <ul className={styles.identifiers} aria-label="Identifiers">
      {all.map(({ curie, scheme, url }) => (
        <li key={curie}>
          {url ? <ExternalLink href={url}>{schemeLabel(scheme, curie)}</ExternalLink> : <span>{schemeLabel(scheme, curie)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** 'DrugBank DB00945': the scheme in words instead of its prefix, which some identifiers keep. */
function schemeLabel(scheme: string, curie: string): string {
  const local = curie.slice(curie.indexOf(":") + 1);
  return scheme ? `${scheme} ${local}` : curie;
}
