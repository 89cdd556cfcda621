import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import { TypeMark } from "@/components/graph/TypeMark";
import { useDebounced } from "@/components/graph/useDebounced";
import { number } from "@/lib/evidenceWords";
import { coefficient, count } from "@/lib/format";
import { entityPlace } from "@/lib/graphs/places";
import type { Where } from "@/lib/graphs/reading";
import { percentileQuery, type Rns, type RnsAsked } from "./api";
import { PartLegend, ScoreBar, totalOfBar } from "./Bar";
import { Facts } from "./HowComputed";
import { PARTS_EXPLAINED, percentileWords } from "./explained";
import styles from "./Rns.module.css";
import { cornerOf, EQUAL, PARTS, type Weights } from "./simplex";
import { Ternary } from "./Ternary";
import { useWeights } from "./useWeights";
import { Presets, WeightFields } from "./WeightFields";

const PRESETS = [{ name: "equal" as const, weights: EQUAL }, ...PARTS.map((name) => ({ name, weights: cornerOf(name) }))];
/** The place among random sets is asked for when the hand has rested. */
const REST_MS = 600;

/** What was measured: the parts each with its sentence, the total as the weights say. */
export function RnsResult({ rns, asked, where }: { rns: Rns; asked: RnsAsked; where: Where }) {
  const { weights, choose } = useWeights(EQUAL);
  const rested = useDebounced(weights, REST_MS);
  const percentile = useQuery(percentileQuery(where, asked, rested, true));
  const place = percentile.data?.percentile ?? null;
  const waiting = percentile.isError ? "not known: the server did not say" : "being found";
  return (
    <div className={styles.result}>
      <section aria-labelledby="measured" className={styles.parts}>
        <h2 id="measured">What was measured</h2>
        <dl>
          {PARTS_EXPLAINED.map(({ part, letter, formula, words }) => (
            <div key={part} className={styles.onePart} data-part={part}>
              <dt>{letter}, {part}</dt>
              <dd className={styles.value}>{coefficient(rns[part], 3)}</dd>
              <dd>
                <p>{words(rns)}</p>
                <p className={styles.formula}>{formula}</p>
                <p className={styles.quiet}>{place ? percentileWords(place[part], place.draws) : `Place among random sets: ${waiting}.`}</p>
              </dd>
            </div>
          ))}
          <div className={styles.onePart}>
            <dt>RNS</dt>
            <dd className={styles.value}>{coefficient(totalOfBar(rns, weights), 3)}</dd>
            <dd>
              <p>The weighted sum of the three, with the weights that are chosen beside it.</p>
              <p className={styles.formula}>RNS = α R + β N + γ S</p>
              <p className={styles.quiet}>{place && rested === weights ? percentileWords(place.total, place.draws) : `Place among random sets: ${waiting}.`}</p>
            </dd>
          </div>
        </dl>
      </section>
      <WeightsAside weights={weights} onChange={choose} />
      <section className={styles.each} aria-labelledby="each">
        <h2 id="each">Each entity</h2>
        <PartLegend />
        <Entities rns={rns} weights={weights} where={where} />
        <Walks rns={rns} />
        <Facts parameters={rns.parameters} embedding={rns.embedding} surpriseError={rns.surprise_error} marginalError={rns.marginal_error} />
      </section>
    </div>
  );
}

function WeightsAside({ weights, onChange }: { weights: Weights; onChange: (weights: Weights) => void }) {
  return (
    <section className={styles.weights} aria-labelledby="what-counts">
      <h2 id="what-counts">What counts</h2>
      <Presets presets={PRESETS} weights={weights} onChange={onChange} />
      <Ternary weights={weights} onChange={onChange} />
      <WeightFields weights={weights} onChange={onChange} />
    </section>
  );
}

function Entities({ rns, weights, where }: { rns: Rns; weights: Weights; where: Where }) {
  const bars = new Map(rns.bars.map((bar) => [bar.id, bar]));
  return (
    <DataTable label="Each entity of the two sets" minWidth={720}>
      <thead>
        <tr>
          <th scope="col">Entity</th>
          <th scope="col">Set</th>
          <th scope="col">Score of it alone beside all others</th>
          <th scope="col" data-numeric>RNS</th>
          <th scope="col" data-numeric>Share of a long walk</th>
        </tr>
      </thead>
      <tbody>
        {rns.entities.map(({ id, name, type, set, embedded, marginal }) => {
          const bar = bars.get(id);
          return (
            <tr key={id}>
              <th scope="row"><TypeMark type={type} /> <Link to={entityPlace(where, id)}>{name}</Link></th>
              <td>{set === "existing" ? "existing" : "serendipity"}</td>
              <td>
                {bar && <ScoreBar bar={bar} weights={weights} />}
                {!embedded && <span className={styles.quiet}>no vector: counted as unlike all others</span>}
              </td>
              <td data-numeric>{bar && coefficient(totalOfBar(bar, weights), 3)}</td>
              <td data-numeric>{number(marginal)}</td>
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}

/** How likely a walk of up to three hops leads from each entity to each other. */
function Walks({ rns: { entities, p3, parameters } }: { rns: Rns }) {
  return (
    <details className={styles.how}>
      <summary>How likely a walk of up to {parameters.hops} hops leads from one to another</summary>
      <DataTable label={`Walks of up to ${parameters.hops} hops among ${count(entities.length)} entities`}>
        <thead>
          <tr>
            <th scope="col">From, to</th>
            {entities.map(({ id, name }) => <th key={id} scope="col" data-numeric>{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {entities.map(({ id, name }, row) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {entities.map((to, column) => <td key={to.id} data-numeric>{number(p3[row]?.[column] ?? 0)}</td>)}
            </tr>
          ))}
        </tbody>
      </DataTable>
    </details>
  );
}
