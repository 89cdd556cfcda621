import { Download } from "lucide-react";
import { Button } from "@/components/Button";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { exportAddress, type ExportFormat, type Graph } from "./api";
import { handOver } from "./files";
import { useWhere } from "./useWhere";

interface Props {
  graph: Graph;
  snapshot: string;
  ids: string[];
  /** What the file is about, for its name. */
  name: string;
  /** Makes the picture; absent where there is none. */
  picture?: ((kind: "svg" | "png") => Promise<Blob>) | undefined;
}

const FORMATS: { format: ExportFormat; label: string; hint: string }[] = [
  { format: "csv", label: "CSV", hint: "Edges and what states them, for a spreadsheet" },
  { format: "json", label: "JSON", hint: "Everything, for a program" },
  { format: "graphml", label: "GraphML", hint: "For Cytoscape, Gephi and the like" },
];

/** What is shown, as a file; each carries the graph's version and licence. */
export function ExportMenu({ graph, snapshot, ids, name, picture }: Props) {
  const { slug } = useWhere();
  const stem = fileStem(graph.slug, name);
  return (
    <Menu
      label="Export"
      trigger={
        <Button>
          <Download size={16} aria-hidden />
          Export
        </Button>
      }
    >
      <MenuSection title="What is shown" note={graph.licence || "No licence stated"}>
        {FORMATS.map(({ format, label, hint }) => (
          <MenuItem
            key={format}
            id={format}
            label={label}
            hint={hint}
            onAction={() => handOver(exportAddress({ slug, snapshot }, format, ids), `${stem}.${format}`)}
          />
        ))}
        {picture && <PictureItem kind="svg" hint="A picture that stays sharp" stem={stem} picture={picture} />}
        {picture && <PictureItem kind="png" hint="A picture for a slide" stem={stem} picture={picture} />}
      </MenuSection>
    </Menu>
  );
}

interface PictureProps {
  kind: "svg" | "png";
  hint: string;
  stem: string;
  picture: (kind: "svg" | "png") => Promise<Blob>;
}

function PictureItem({ kind, hint, stem, picture }: PictureProps) {
  const make = async () => {
    const url = URL.createObjectURL(await picture(kind));
    handOver(url, `${stem}.${kind}`);
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  return <MenuItem id={kind} label={kind.toUpperCase()} hint={hint} onAction={() => void make()} />;
}

export function fileStem(slug: string, name: string): string {
  return `${slug} ${name}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}
