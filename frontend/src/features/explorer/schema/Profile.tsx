import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SelectField } from "@/components/SelectField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { TypeLabel } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { formatCount, formatPercent, formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { graphsQuery, profileQuery, type DegreeProfile, type GraphRef } from "../api";
import styles from "./Profile.module.css";
import { ProfileBars } from "./ProfileBars";

interface Side {
  name: string;
  where: GraphRef;
}

/** Degrees, hubs and years of a graph, beside those of another one where one is chosen. */
export function Profile({ name }: { name: string }) {
  const where = useGraphParams();
  const [params, change] = useUrlParams();
  const graphs = (useQuery(graphsQuery).data ?? []).filter(({ slug, latest }) => slug !== where.slug && latest);
  const other = graphs.find(({ slug }) => slug === params.get("with"));
  return (
    <section aria-labelledby="profile" className={styles.section}>
      <h2 id="profile">Degrees and years</h2>
      {graphs.length > 0 && (
        <SelectField
          label="Compare with"
          value={other?.slug ?? ""}
          options={[{ value: "", label: "no other graph" }, ...graphs.map((one) => ({ value: one.slug, label: one.name }))]}
          onChange={(slug) => change({ with: slug || null })}
        />
      )}
      <div className={styles.sides}>
        <SideProfile name={name} where={where} />
        {other && <SideProfile name={other.name} where={{ slug: other.slug, snapshot: null, until: null }} />}
      </div>
    </section>
  );
}

function SideProfile({ name, where }: Side) {
  const query = useQuery(profileQuery(where));
  return (
    <div className={styles.side}>
      <h3><bdi>{name}</bdi></h3>
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={6} height={28} />}>
        {(profile) => <Figures profile={profile} where={where} name={name} />}
      </QueryBoundary>
    </div>
  );
}

function Figures({ profile, where, name }: Side & { profile: DegreeProfile }) {
  const { mean, median, isolated, hubs, hub_share, bins, years, undated } = profile;
  return (
    <>
      <p>
        An entity has {mean.toFixed(1)} edges on average and {median} in the median; {formatPlural(isolated, "entity has", "entities have")} none.
        {hubs.length > 0 && ` The first ${formatCount(hubs.length)} below have ${formatPercent(hub_share)} of all ends of edges.`}
      </p>
      <ProfileBars label={`Degrees of ${name}`} head={["Edges", "Entities"]} rows={bins.map(({ low, high, entities }) => ({ name: low === high ? String(low) : `${formatCount(low)} to ${formatCount(high)}`, value: entities }))} isLogarithmic />
      <table aria-label={`Entities with the most edges of ${name}`}>
        <thead><tr><th scope="col">Entity</th><th scope="col">Type</th><th scope="col" data-numeric>Edges</th></tr></thead>
        <tbody>
          {hubs.map((hub) => (
            <tr key={hub.id}>
              <th scope="row" dir="auto"><Link to={entityUrl(where, hub.id)}>{hub.name}</Link></th>
              <td><TypeLabel type={hub.type} /></td>
              <td data-numeric className="number">{formatCount(hub.degree)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {years.length > 0 && <ProfileBars label={`New edges of ${name} by year`} head={["First seen", "Edges"]} rows={years.map(({ year, edges }) => ({ name: String(year), value: edges }))} />}
      <p className={styles.quiet}>{years.length === 0 ? "Its edges have no years." : undated > 0 && `${formatPlural(undated, "edge has", "edges have")} no year.`}</p>
    </>
  );
}
