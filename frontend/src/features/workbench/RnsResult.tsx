import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import { formatNumber } from "@/domains/graphs/evidenceLabels";
import type { GraphRef } from "@/domains/graphs/graphQueries";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { TypeIcon } from "@/domains/graphs/TypeIcon";
import { formatCoefficient, formatCount } from "@/lib/format";
import { useDebounced } from "@/lib/useDebounced";
import { percentileQuery, type Rns, type RnsRequest } from "./api";
import { PartLegend, ScoreBar, barTotal, constantParts } from "./Bar";
import { ComputationFacts } from "./ComputationDetails";
import styles from "./Rns.module.css";
import { PART_EXPLANATIONS, percentileText } from "./scoreSentences";
import { cornerOf, EQUAL_WEIGHTS, SCORE_PARTS, type Weights } from "@/lib/weights/simplex";
import { WeightTriangle } from "./Ternary";
import { useWeights } from "./useWeights";
import { Presets, WeightFields } from "./WeightFields";

const PRESETS = [{ name: "equal" as const, weights: EQUAL_WEIGHTS }, ...SCORE_PARTS.map((name) => ({ name, weights: cornerOf(name) }))];
/** The place among random sets is requested when the sliders have rested. */
const SETTLE_MS = 600;

/** Scores: the parts each with its sentence, the total by the weights. */
export function RnsResult({ rns, request, where }: { rns: Rns; request: RnsRequest; where: GraphRef }) {
  const { weights, choose } = useWeights(EQUAL_WEIGHTS);
  const rested = useDebounced(weights, SETTLE_MS);
  const percentile = useQuery(percentileQuery(where, request, rested, true));
  const place = percentile.data?.percentile ?? null;
  const waiting = percentile.isError ? "not available" : "being computed";
  return (
    <div className={styles.result}>
      <section aria-labelledby="measured" className={styles.parts}>
        <h2 id="measured">Scores</h2>
        <dl>
          <div className={styles.onePart}>
            <dt>RNS</dt>
            <dd className={styles.value}>{formatCoefficient(barTotal(rns, weights), 3)}</dd>
            <dd>
              <p><b>{place && rested === weights ? percentileText("total", place.total, place.draws) : `Place among random sets: ${waiting}.`}</b></p>
              <p>The weighted sum of the three scores, with the selected weights.</p>
              <p className={styles.formula}>RNS = α R + β N + γ S</p>
            </dd>
          </div>
          {PART_EXPLANATIONS.map(({ part, symbol, formula, words }) => (
            <div key={part} className={styles.onePart} data-part={part}>
              <dt>{symbol}, {part}</dt>
              <dd className={styles.value}>{formatCoefficient(rns[part], 3)}</dd>
              <dd>
                <p>{words(rns)}</p>
                <p className={styles.formula}>{formula}</p>
                <p className={styles.quiet}>{place ? percentileText(part, place[part], place.draws) : `Place among random sets: ${waiting}.`}</p>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <WeightsSection weights={weights} onChange={choose} />
      <section className={styles.each} aria-labelledby="each">
        <h2 id="each">Each entity</h2>
        <PartLegend constant={constantParts(rns.bars)} />
        <Entities rns={rns} weights={weights} where={where} />
        <RandomWalkFacts rns={rns} />
        <ComputationFacts parameters={rns.parameters} embedding={rns.embedding} surpriseError={rns.surprise_error} marginalError={rns.marginal_error} />
      </section>
    </div>
  );
}

function WeightsSection({ weights, onChange }: { weights: Weights; onChange: (weights: Weights) => void }) {
  return (
    <section className={styles.weights} aria-labelledby="what-counts">
      <h2 id="what-counts">Weights</h2>
      <Presets presets={PRESETS} weights={weights} onChange={onChange} />
      <WeightTriangle weights={weights} onChange={onChange} />
      <WeightFields weights={weights} onChange={onChange} />
    </section>
  );
}

function Entities({ rns, weights, where }: { rns: Rns; weights: Weights; where: GraphRef }) {
  const constant = constantParts(rns.bars);
  const bars = new Map(rns.bars.map((bar) => [bar.id, bar]));
  return (
    <DataTable
      label="Each entity of the two sets" minWidth={720}
      columns={["Entity", "Set", "Score against all others", { label: "RNS", isNumeric: true }, { label: "Stationary probability", isNumeric: true }]}
    >
      {rns.entities.map(({ id, name, type, set, embedded, marginal }) => {
        const bar = bars.get(id);
        return (
          <tr key={id}>
            <th scope="row"><TypeIcon type={type} /> <Link to={entityUrl(where, id)}>{name}</Link></th>
            <td>{set === "existing" ? "existing" : "serendipity"}</td>
            <td>
              {bar && <ScoreBar bar={bar} weights={weights} constant={constant} />}
              {!embedded && <span className={styles.quiet}>no vector: treated as unlike all others</span>}
            </td>
            <td data-numeric>{bar && formatCoefficient(barTotal(bar, weights), 3)}</td>
            <td data-numeric>{formatNumber(marginal)}</td>
          </tr>
        );
      })}
    </DataTable>
  );
}

/** Probability of a walk of up to three hops leads from each entity to each other. */
function RandomWalkFacts({ rns: { entities, p3, parameters } }: { rns: Rns }) {
  return (
    <details className={styles.how}>
      <summary>Probability of a walk of up to {parameters.hops} hops between two entities</summary>
      <DataTable
        label={`Walks of up to ${parameters.hops} hops among ${formatCount(entities.length)} entities`}
        columns={["From, to", ...entities.map(({ id, name }) => ({ label: name, key: id, isNumeric: true }))]}
      >
        {entities.map(({ id, name }, row) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            {entities.map((to, column) => <td key={to.id} data-numeric>{formatNumber(p3[row]?.[column] ?? 0)}</td>)}
          </tr>
        ))}
      </DataTable>
    </details>
  );
}
