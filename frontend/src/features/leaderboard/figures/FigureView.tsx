import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type { Figure } from "@/api/contract";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { figureQuery, figureUrl } from "@/domains/leaderboard/queries";
import { fetchFile, saveFile } from "@/lib/downloads";
import { formatCount } from "@/lib/format";
import { ComplexityFigure } from "./ComplexityFigure";
import styles from "./Figures.module.css";
import { ProfileFigure } from "./ProfileFigure";
import { ScaleFigure } from "./ScaleFigure";

interface Props {
  track: string;
  figure: string;
  release: string | undefined;
}

const DRAWINGS: Record<string, (props: { figure: Figure }) => ReactNode> = {
  scale: ScaleFigure,
  profile: ProfileFigure,
  complexity: ComplexityFigure,
};

/** A figure with its text, its table and its data as files. */
export function FigureView({ track, figure, release }: Props) {
  const data = useQuery(figureQuery(track, figure, release));
  const Drawing = DRAWINGS[figure];
  return (
    <QueryBoundary query={data} skeleton={<SkeletonRows rows={6} />}>
      {(read) => read.axes.length === 0 || !Drawing
        ? <EmptyState>No entry has values for this figure yet.</EmptyState>
        : (
          <div className={styles.view}>
            <Drawing figure={read} />
            {read.left_out > 0 && <p className={styles.small}>The figure has the first entries of the board only; {formatCount(read.left_out)} further down are left out.</p>}
            <Downloads figure={read} csvUrl={figureUrl(track, `${figure}.csv`, release)} />
          </div>
        )}
    </QueryBoundary>
  );
}

function Downloads({ figure, csvUrl }: { figure: Figure; csvUrl: string }) {
  const name = `${figure.track}-${figure.figure}`;
  const saveJson = () => saveFile(new Blob([JSON.stringify(figure, null, 2)], { type: "application/json" }), `${name}.json`);
  const saveCsv = async () => saveFile(await fetchFile({ url: csvUrl }), `${name}.csv`);
  return (
    <div className={styles.downloads}>
      <Button onPress={() => void saveCsv()} aria-label={`Download CSV of this figure: ${name}`}><Download size={16} aria-hidden /> CSV</Button>
      <Button onPress={saveJson} aria-label={`Download JSON of this figure: ${name}`}><Download size={16} aria-hidden /> JSON</Button>
    </div>
  );
}
