import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { Button } from "@/components/Button";
import { Dialog, DialogActions } from "@/components/Dialog";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { useWhere } from "@/components/graph/useWhere";
import { fetchFile, keepFile } from "@/lib/downloads";
import { sentenceOf } from "@/lib/problems";
import { exportRequest, type ExportFormat, type Graph, type Part } from "./api";

type PictureFormat = "svg" | "png";
type Format = ExportFormat | PictureFormat;

interface Props {
  graph: Graph;
  snapshot: string;
  part: Part;
  /** What the file is about, for its name. */
  name: string;
  /** Makes the picture; absent where there is none. */
  picture?: ((kind: PictureFormat) => Promise<Blob>) | undefined;
}

interface Kind<Name> {
  format: Name;
  label: string;
  hint: string;
  /** How the file's name ends: a format of several files comes as an archive. */
  ending: string;
}

const DATA: Kind<ExportFormat>[] = [
  { format: "csv", label: "CSV", hint: "Tables of entities and edges, in a zip", ending: "-csv.zip" },
  { format: "json", label: "JSON", hint: "Everything, for a program", ending: ".json" },
  { format: "graphml", label: "GraphML", hint: "For Cytoscape, Gephi and the like", ending: ".graphml" },
  { format: "kgx", label: "KGX", hint: "Biolink tables for other graph tools, in a zip", ending: "-kgx.zip" },
];
const PICTURES: Kind<PictureFormat>[] = [
  { format: "svg", label: "SVG", hint: "A picture that stays sharp", ending: ".svg" },
  { format: "png", label: "PNG", hint: "A picture for a slide", ending: ".png" },
];

/** What is shown, as a file; each carries the graph's version and licence. */
export function ExportMenu({ graph, snapshot, part, name, picture }: Props) {
  const { slug } = useWhere();
  const making = useMutation({
    mutationFn: async ({ format, ending }: Kind<Format>) => {
      const isPicture = format === "svg" || format === "png";
      const file = isPicture && picture
        ? await picture(format)
        : await fetchFile(exportRequest({ slug, snapshot }, format as ExportFormat, part));
      keepFile(file, `${fileStem(graph.slug, name)}${ending}`);
    },
  });
  const formats: Kind<Format>[] = picture ? [...DATA, ...PICTURES] : DATA;
  return (
    <>
      <Menu
        label="Export"
        trigger={
          <Button isPending={making.isPending}>
            <Download size={16} aria-hidden />
            {making.isPending ? "Exporting" : "Export"}
          </Button>
        }
      >
        <MenuSection title="What is shown" note={graph.licence || "No licence stated"}>
          {formats.map((kind) => (
            <MenuItem key={kind.format} id={kind.format} label={kind.label} hint={kind.hint} onAction={() => making.mutate(kind)} />
          ))}
        </MenuSection>
      </Menu>
      <Dialog title="Not exported" isOpen={making.isError} onOpenChange={(open) => !open && making.reset()}>
        <p>{sentenceOf(making.error)}</p>
        <DialogActions>
          <Button look="primary" size="large" onPress={() => making.reset()} autoFocus>Close</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

export function fileStem(slug: string, name: string): string {
  return `${slug} ${name}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}
