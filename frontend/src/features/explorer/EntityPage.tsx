import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Columns2, Route, Sparkle } from "lucide-react";
import { Fragment, lazy, Suspense, useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { ExternalLink } from "@/components/ExternalLink";
import { Loadable } from "@/components/Loadable";
import { useArrival } from "@/components/Page";
import { Skeleton } from "@/components/Skeleton";
import { SkeletonRows } from "@/components/SkeletonRows";
import { GraphFrame } from "@/components/graph/GraphFrame";
import { TypeWord } from "@/components/graph/TypeMark";
import { useWhere } from "@/components/graph/useWhere";
import { canvasPlace, comparePlace, pathsPlace, rnsPlace, searchPlace } from "@/lib/graphs/places";
import { count } from "@/lib/format";
import { isMissing } from "@/lib/problems";
import { entityQuery, type Entity, type Graph, type Identifier } from "./api";
import { Document } from "./Document";
import styles from "./Entity.module.css";
import { ExportMenu } from "./ExportMenu";
import { Relations } from "./Relations";
import { SaveView } from "./SaveView";
import { SharedSelection } from "./selection";
import { useWide } from "./useWide";

const Neighbourhood = lazy(async () => ({ default: (await import("./neighbourhood/Neighbourhood")).Neighbourhood }));

const MOST_SYNONYMS = 12;

/** One entity: what is known of it in words, and beside that, where there is room, what is near it. */
export function EntityPage() {
  const { curie = "" } = useParams();
  return <GraphFrame>{(graph) => <Opened key={curie} graph={graph} curie={curie} />}</GraphFrame>;
}

function Opened({ graph, curie }: { graph: Graph; curie: string }) {
  const where = useWhere();
  const [params] = useSearchParams();
  const selection = useState(params.get("sel") ?? curie);
  const entity = useQuery(entityQuery(where, curie));
  const isWide = useWide();
  return (
    <SharedSelection value={selection}>
      <div className={styles.layout}>
        <div className={styles.words}>
          {entity.isError && <NotHere isMissing={isMissing(entity.error)} />}
          <Loadable query={entity} skeleton={<Shape />}>
            {(data) => <Known key={data.id} entity={data} graph={graph} isWide={isWide} />}
          </Loadable>
          {isMissing(entity.error) && <p><Link to={searchPlace(where)}>Search {graph.name}</Link></p>}
        </div>
        {isWide && !entity.isError && (
          <section className={styles.near} aria-label="Neighbourhood">
            {entity.data && (
              <Suspense fallback={<div aria-busy="true" className={styles.nearWaiting}><Skeleton height={360} /></div>}>
                <Neighbourhood key={entity.data.id} graph={graph} focus={entity.data.id} isBeside />
              </Suspense>
            )}
          </section>
        )}
      </div>
    </SharedSelection>
  );
}

/** What went wrong is said under it. */
function NotHere({ isMissing: missing }: { isMissing: boolean }) {
  const heading = useArrival(missing ? "Not found" : "Not read");
  return <h1 ref={heading} tabIndex={-1}>{missing ? "This entity is not here" : "This entity could not be read"}</h1>;
}

function Shape() {
  return (
    <div className={styles.shape}>
      <Skeleton height={32} width={260} />
      <Skeleton height={20} width="70%" />
      <Skeleton height={96} />
      <SkeletonRows rows={6} height={32} />
    </div>
  );
}

interface KnownProps {
  entity: Entity;
  graph: Graph;
  isWide: boolean;
}

function Known({ entity, graph, isWide }: KnownProps) {
  const where = useWhere();
  const heading = useArrival(entity.name);
  return (
    <>
      <BackToResults />
      <header className={styles.head}>
        <div className={styles.title}>
          <h1 ref={heading} tabIndex={-1}>{entity.name}</h1>
          <TypeWord type={entity.type} />
        </div>
        <div className={styles.actions}>
          <ButtonLink to={pathsPlace(where, entity.id)}><Route size={16} aria-hidden />Path to</ButtonLink>
          <ButtonLink to={comparePlace(where, [entity.id])}><Columns2 size={16} aria-hidden />Compare</ButtonLink>
          <ButtonLink to={rnsPlace(where, { serendipity: [entity.id] })}><Sparkle size={16} aria-hidden />Serendipity</ButtonLink>
          <SaveView suggested={entity.name} snapshot={entity.snapshot} />
          {!isWide && <ExportMenu graph={graph} snapshot={entity.snapshot} part={{ around: entity.id }} name={entity.id} />}
        </div>
      </header>
      <Identifiers all={entity.identifiers} />
      <Synonyms all={entity.synonyms} />
      <Document sections={entity.document} />
      {!isWide && (
        <ButtonLink to={canvasPlace(where, entity.id)} size="large">
          Show what is near as a graph or a table
        </ButtonLink>
      )}
      <Relations entity={entity} graph={graph} />
    </>
  );
}

/** Some chemicals have a thousand: what is below must not be pushed out of sight by them. */
function Synonyms({ all }: { all: string[] }) {
  const [isWhole, setWhole] = useState(false);
  if (all.length === 0) return null;
  const isLong = all.length > MOST_SYNONYMS + 3;
  const shown = isLong && !isWhole ? all.slice(0, MOST_SYNONYMS) : all;
  return (
    <div className={styles.synonyms}>
      <p>
        Also called {shown.map((name, at) => <Fragment key={at}>{at > 0 && ", "}<bdi>{name}</bdi></Fragment>)}
      </p>
      {isLong && (
        <Button look="quiet" onPress={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? "Show fewer names" : `Show all ${count(all.length)} names`}
        </Button>
      )}
    </div>
  );
}

function BackToResults() {
  const where = useWhere();
  const [params] = useSearchParams();
  const q = params.get("q");
  if (!q) return null;
  return (
    <Link to={searchPlace(where, q)} className={styles.back}>
      <ArrowLeft size={14} aria-hidden />
      Results for “{q}”
    </Link>
  );
}

function Identifiers({ all }: { all: Identifier[] }) {
  return (
    <ul className={styles.identifiers} aria-label="Identifiers">
      {all.map(({ curie, scheme, url }) => (
        <li key={curie}>
          {url ? <ExternalLink href={url}>{label(scheme, curie)}</ExternalLink> : <span>{label(scheme, curie)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** 'DrugBank DB00945': the scheme in words instead of its prefix, which some identifiers keep. */
function label(scheme: string, curie: string): string {
  const local = curie.slice(curie.indexOf(":") + 1);
  return scheme ? `${scheme} ${local}` : curie;
}
