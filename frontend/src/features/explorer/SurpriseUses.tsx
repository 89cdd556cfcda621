import { Link } from "react-router";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import type { Surprise } from "./api";
import { yearLabel } from "./surpriseWords";

/** 'depression (1985), later obesity (2010)': both uses as links, with the years that are known. */
export function SurpriseUses({ surprise }: { surprise: Surprise }) {
  const where = useGraphParams();
  const { usual, usual_step: usualStep, distant, distant_step: step, is_later: isLater } = surprise;
  return (
    <>
      <Link to={entityUrl(where, usual.id)}>{usual.name}</Link>
      {`${yearLabel(usualStep)}, ${isLater ? "later" : "also"} `}
      <Link to={entityUrl(where, distant.id)}><b>{distant.name}</b></Link>
      {yearLabel(step)}
    </>
  );
}
