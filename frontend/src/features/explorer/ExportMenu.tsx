import { Download } from "lucide-react";
import { Button } from "@/components/Button";
import { Dialog, DialogActions } from "@/components/Dialog";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { fetchFile, saveFile } from "@/lib/downloads";
import { errorMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";
import { exportRequest, type ExportFormat, type Graph, type ExportSelection } from "./api";

type PictureFormat = "svg" | "png";
type Format = ExportFormat | PictureFormat;

interface Props {
  graph: Graph;
  snapshot: string;
  part: ExportSelection;
  /** What the file is about, for its name. */
  name: string;
  /** Makes the picture; absent where there is none. */
  picture?: ((kind: PictureFormat) => Promise<Blob>) | undefined;
}

interface ExportOption<Name> {
  format: Name;
  label: string;
  hint: string;
  /** How the file's name ends: a format of several files comes as an archive. */
  extension: string;
}

const DATA_OPTIONS: ExportOption<ExportFormat>[] = [
  { format: "csv", label: "CSV", hint: "Tables of entities and edges, in a zip", extension: "-csv.zip" },
  { format: "json", label: "JSON", hint: "Everything, for a program", extension: ".json" },
  { format: "graphml", label: "GraphML", hint: "For Cytoscape, Gephi and the like", extension: ".graphml" },
  { format: "kgx", label: "KGX", hint: "Biolink tables for other graph tools, in a zip", extension: "-kgx.zip" },
];
const PICTURE_OPTIONS: ExportOption<PictureFormat>[] = [
  { format: "svg", label: "SVG", hint: "A picture that stays sharp", extension: ".svg" },
  { format: "png", label: "PNG", hint: "A picture for a slide", extension: ".png" },
];

/** What is shown, as a file; each carries the graph's version and licence. */
export function ExportMenu({ graph, snapshot, part, name, picture }: Props) {
  const { slug } = useGraphParams();
  const exportMutation = useMutation({
    mutationFn: async ({ format, extension }: ExportOption<Format>) => {
      const isPicture = format === "svg" || format === "png";
      const file = isPicture && picture
        ? await picture(format)
        : await fetchFile(exportRequest({ slug, snapshot }, format as ExportFormat, part));
      saveFile(file, `${fileBaseName(graph.slug, name)}${extension}`);
    },
  });
  const formats: ExportOption<Format>[] = picture ? [...DATA_OPTIONS, ...PICTURE_OPTIONS] : DATA_OPTIONS;
  return (
    <>
      <Menu
        label="Export"
        trigger={
          <Button isPending={exportMutation.isPending}>
            <Download size={16} aria-hidden />
            {exportMutation.isPending ? "Exporting" : "Export"}
          </Button>
        }
      >
        <MenuSection title="What is shown" note={graph.licence || "No licence stated"}>
          {formats.map((kind) => (
            <MenuItem key={kind.format} id={kind.format} label={kind.label} hint={kind.hint} onAction={() => exportMutation.mutate(kind)} />
          ))}
        </MenuSection>
      </Menu>
      <Dialog title="The export failed" isOpen={exportMutation.isError} onOpenChange={(open) => !open && exportMutation.reset()}>
        <p>{errorMessage(exportMutation.error)}</p>
        <DialogActions>
          <Button variant="primary" size="large" onPress={() => exportMutation.reset()} autoFocus>Close</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function fileBaseName(slug: string, name: string): string {
  return `${slug} ${name}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}
