import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import series from "@/components/LineSeries.module.css";
import { Tag } from "@/components/Tag";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { TypeLabel } from "@/domains/graphs/TypeIcon";
import { formatCoefficient, formatCount, formatPercent, formatPlural } from "@/lib/format";
import type { NetworkComparison, NetworkFigures } from "../api";
import { NetworkLines, type NetworkLine } from "./NetworkLines";
import styles from "./Networks.module.css";

const numeric = (label: string) => ({ label, isNumeric: true });

/** The networks as columns beside a chart, each with the look of its line. */
const networkColumns = (networks: NetworkFigures[]) => networks.map(({ slug, name }, at) => ({
  key: slug, label: <><span className={series.key} data-place={at} aria-hidden /> <bdi>{name}</bdi></>, isNumeric: true,
}));

/** The figures of each network, its degrees and hubs, what the networks share, and their links by year. */
export function NetworkTables({ compared }: { compared: NetworkComparison }) {
  const { networks } = compared;
  return (
    <>
      <Figures networks={networks} />
      <Degrees networks={networks} />
      {networks.map((network, at) => <Hubs key={network.slug} network={network} at={at} networks={networks} />)}
      <Shared compared={compared} />
      <Years networks={networks} />
    </>
  );
}

interface Networks {
  networks: NetworkFigures[];
}

function Figures({ networks }: Networks) {
  return (
    <section aria-labelledby="figures" className={styles.section}>
      <h2 id="figures">Networks</h2>
      <DataTable label="Links of each network" minWidth={640} folds columns={["Network", ...["Entities", "Links", "Mean degree", "Median degree", "Share of the top 1%"].map(numeric)]}>
        {networks.map(({ slug, name, entities, links, mean, median, few_share: share }, at) => (
          <tr key={slug}>
            <th scope="row"><span className={series.key} data-place={at} aria-hidden /> <bdi>{name}</bdi></th>
            <td data-numeric className="number">{formatCount(entities)}</td>
            <td data-numeric className="number">{formatCount(links)}</td>
            <td data-numeric className="number">{mean.toFixed(1)}</td>
            <td data-numeric className="number">{median}</td>
            <td data-numeric className="number">{formatPercent(share)}</td>
          </tr>
        ))}
      </DataTable>
      <p className={styles.quiet}>The degree of an entity is its number of links; entities without any are left out. The last column states how many of all ends of links are at the 1% of entities that have the most.</p>
    </section>
  );
}

function Degrees({ networks }: Networks) {
  const bins = networks.map((network) => network.bins).reduce((one, other) => (other.length > one.length ? other : one), []);
  const lines = networks.map(({ bins: own }, place) => ({
    place,
    points: own.filter(({ entities }) => entities > 0).map(({ low, entities }): [number, number] => [Math.log2(low), Math.log10(entities)]),
  }));
  return (
    <section aria-labelledby="degrees" className={styles.section}>
      <h2 id="degrees">Degrees</h2>
      <div className={styles.figure}>
        <NetworkLines lines={lines} xAxis={{ label: "links of an entity, logarithmic", text: powerOf(2) }} yAxis={{ label: "entities, logarithmic", text: powerOf(10) }} />
        <DataTable label="Entities by number of links" minWidth={160 + 110 * networks.length} columns={["Links", ...networkColumns(networks)]}>
          {bins.map(({ low, high }) => (
            <tr key={low}>
              <th scope="row" className={`${styles.range} number`}>{low === high ? low : `${formatCount(low)} to ${formatCount(high)}`}</th>
              {networks.map(({ slug, bins: own }) => <td key={slug} data-numeric className="number">{formatCount(own.find((bin) => bin.low === low)?.entities ?? 0)}</td>)}
            </tr>
          ))}
        </DataTable>
      </div>
    </section>
  );
}

const powerOf = (base: number) => (exponent: number) => formatCount(Math.round(base ** exponent));

function Hubs({ network, at, networks }: Networks & { network: NetworkFigures; at: number }) {
  const label = `Entities with the most links of ${network.name}`;
  const others = networks.flatMap((other, place) => (place === at ? [] : [{ ...other, place }]));
  const general = network.hubs.filter(({ is_printed: isPrinted }) => isPrinted).length;
  return (
    <section aria-labelledby={`hubs-${at}`} className={styles.section}>
      <h2 id={`hubs-${at}`}>Hubs of <bdi>{network.name}</bdi></h2>
      {general > 0 && <p>{formatCount(general)} of these {formatCount(network.hubs.length)} {general === 1 ? "is" : "are"} among the hubs of the text-mined network in Dyport's Figure 5, all of them too general to be informative.</p>}
      <DataTable label={label} minWidth={360 + 130 * networks.length} columns={["Entity", numeric("Links"), ...others.map(({ name }) => numeric(`In ${name}`)), "Type"]}>
        {network.hubs.map(({ id, name, type, degrees, is_printed: isPrinted }) => (
          <tr key={id}>
            <th scope="row"><Link to={entityUrl({ slug: network.slug, snapshot: null, until: null }, id)}><bdi>{name}</bdi></Link>{isPrinted && <> <Tag>general</Tag></>}</th>
            <td data-numeric className="number">{formatCount(degrees[at] ?? 0)}</td>
            {others.map(({ slug, place }) => <td key={slug} data-numeric className="number">{degreeText(degrees[place])}</td>)}
            <td><TypeLabel type={type} /></td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

const degreeText = (degree: number | null | undefined) => (degree === null || degree === undefined ? "absent" : formatCount(degree));

function Shared({ compared: { networks, shared } }: { compared: NetworkComparison }) {
  const nameOf = (slug: string) => networks.find((one) => one.slug === slug)?.name ?? slug;
  return (
    <section aria-labelledby="shared" className={styles.section}>
      <h2 id="shared">What they share</h2>
      <DataTable label="What the networks share" minWidth={720} folds columns={["Networks", ...["Entities", "Links", "Of the first", "Of the second", "Correlation"].map(numeric)]}>
        {shared.map(({ one, other, entities, links, of_one: ofOne, of_other: ofOther, correlation }) => (
          <tr key={`${one} ${other}`}>
            <th scope="row"><bdi>{nameOf(one)}</bdi> and <bdi>{nameOf(other)}</bdi></th>
            <td data-numeric className="number">{formatCount(entities)}</td>
            <td data-numeric className="number">{formatCount(links)}</td>
            <td data-numeric className="number">{ofOne === null ? "none" : formatPercent(ofOne)}</td>
            <td data-numeric className="number">{ofOther === null ? "none" : formatPercent(ofOther)}</td>
            <td data-numeric className="number">{correlation === null ? "none" : formatCoefficient(correlation)}</td>
          </tr>
        ))}
      </DataTable>
      <p className={styles.quiet}>Entities are the same where their identifiers are. Of the first and of the second are the shared links as shares of each network. The correlation is Spearman's of the degrees of shared entities; without two different degrees in both networks there is none.</p>
    </section>
  );
}

function Years({ networks }: Networks) {
  const years = [...new Set(networks.flatMap((one) => one.years.map(({ year }) => year)))].toSorted((one, other) => one - other);
  if (years.length === 0) return <p className={styles.quiet}>The links of these networks have no years.</p>;
  const lines: NetworkLine[] = networks.map((one, place) => ({ place, points: one.years.map(({ year, links }): [number, number] => [year, links]) }));
  const until = (network: NetworkFigures, year: number) => network.years.findLast((one) => one.year <= year)?.links ?? 0;
  return (
    <section aria-labelledby="years" className={styles.section}>
      <h2 id="years">Links by year</h2>
      <div className={styles.figure}>
        <NetworkLines lines={lines} xAxis={{ label: "year", text: String }} yAxis={{ label: "links until then", text: formatCount }} />
        <DataTable label="Links until each year" minWidth={120 + 110 * networks.length} columns={["Year", ...networkColumns(networks)]}>
          {years.map((year) => (
            <tr key={year}>
              <th scope="row" className="number">{year}</th>
              {networks.map((network) => <td key={network.slug} data-numeric className="number">{network.years.length === 0 ? "no years" : formatCount(until(network, year))}</td>)}
            </tr>
          ))}
        </DataTable>
      </div>
      {networks.filter((one) => one.years.length > 0 && one.undated > 0).map(({ slug, name, undated }) => (
        <p key={slug} className={styles.quiet}>{formatPlural(undated, "link")} of <bdi>{name}</bdi> without a year {undated === 1 ? "is" : "are"} left out.</p>
      ))}
    </section>
  );
}
