/** The picture as a file of its own: the drawing, what the signs mean, and where it is from. */
import { shapePoints, type TypeStyle } from "@/domains/graphs/typeStyles";
import { nodeName, type NodePositions, type Picture, type PictureNode, type Point } from "./picture";
import type { ThemeColours } from "./themeColours";

/** line: under the picture, where it is from. */
interface Credit {
  title: string;
  line: string;
}

interface GraphCredit {
  graph: string;
  version: string;
  snapshot: string;
  licence: string;
}

const MARGIN_PX = 80;
const LINE_HEIGHT_PX = 18;
const FONT = "Inter, system-ui, sans-serif";

/** One line for under the picture: which graph, which version, under which licence. */
export function graphCredit({ graph, version, snapshot, licence }: GraphCredit): string {
  return `${graph}, ${version}, snapshot ${snapshot}. Licence: ${licence || "not stated"}.`;
}

export function toSvg(picture: Picture, places: NodePositions, inks: ThemeColours, { title, line }: Credit): string {
  const box = boundingBox(places);
  const types = typesOf(picture);
  const foot = LINE_HEIGHT_PX * (types.length > 0 ? 4 : 2);
  const [width, height] = [box.width + 2 * MARGIN_PX, box.height + 2 * MARGIN_PX + foot];
  const shift = `translate(${MARGIN_PX - box.x} ${MARGIN_PX - box.y})`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    `<desc>${escapeXml(line)}</desc>`,
    `<rect width="100%" height="100%" fill="${inks.surface}"/>`,
    `<g transform="${shift}">`,
    ...picture.edges.map(({ source, target, isFaint }) => edgeSvg(places[source], places[target], inks, isFaint)),
    ...picture.edgesByNode.map(({ source, target }) => edgeSvg(places[source], places[target], inks)),
    ...picture.nodes.map((node) => nodeSvg(node, places[node.id], inks)),
    "</g>",
    legendSvg(types, height - foot + LINE_HEIGHT_PX / 2, inks),
    textSvg(line, MARGIN_PX / 2, height - LINE_HEIGHT_PX, inks.muted),
    "</svg>",
    "",
  ].join("\n");
}

/** The SVG, drawn once at twice its size. */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  const scale = Math.min(2, 8000 / Math.max(image.width, image.height));
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("The picture is too large for this browser."))), "image/png");
  });
}

function boundingBox(places: NodePositions) {
  const all = Object.values(places);
  const xs = all.map(({ x }) => x);
  const ys = all.map(({ y }) => y);
  const [x, y] = [Math.min(0, ...xs), Math.min(0, ...ys)];
  return { x, y, width: Math.max(360, Math.max(0, ...xs) - x), height: Math.max(0, ...ys) - y };
}

function typesOf(picture: Picture): [string, TypeStyle][] {
  return [...new Map(picture.nodes.flatMap((node) => (node.kind === "entity" ? [[node.type, node.style] as const] : [])))];
}

function edgeSvg(from: Point | undefined, to: Point | undefined, inks: ThemeColours, isFaint = false): string {
  if (!from || !to) return "";
  const dots = isFaint ? ' stroke-dasharray="1 3"' : "";
  return `<line x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}" stroke="${inks["line-strong"]}" stroke-opacity="0.7"${dots}/>`;
}

function nodeSvg(node: PictureNode, at: Point | undefined, inks: ThemeColours): string {
  if (!at) return "";
  const { paint, ink } = paintOf(node, inks);
  const name = textSvg(nodeName(node), at.x, at.y + 24, ink, "middle");
  return shapeSvg(node.kind === "more" ? null : node.style, at, 9, paint) + name;
}

function paintOf(node: PictureNode, inks: ThemeColours): { paint: string; ink: string } {
  const { surface, muted, ink, good } = inks;
  if (node.kind === "more") return { paint: `fill="${surface}" stroke="${muted}" stroke-dasharray="3 2"`, ink: muted };
  const own = inks[node.style.colour];
  switch (node.mark) {
    case "offered": return { paint: `fill="${surface}" stroke="${own}" stroke-width="1.5"`, ink: muted };
    case "frontier": return { paint: `fill="${own}" stroke="${ink}" stroke-width="3"`, ink };
    case "hit": return { paint: `fill="${good}" stroke="${good}" stroke-width="3"`, ink: good };
    default: return { paint: `fill="${own}"`, ink };
  }
}

function shapeSvg(look: TypeStyle | null, { x, y }: Point, radius: number, paint: string): string {
  const points = look ? shapePoints(look.shape, radius, x, y) : null;
  return points ? `<polygon points="${points}" ${paint}/>` : `<circle cx="${x}" cy="${y}" r="${radius}" ${paint}/>`;
}

function legendSvg(types: [string, TypeStyle][], y: number, inks: ThemeColours): string {
  let x = MARGIN_PX / 2 + 6;
  return types
    .map(([type, look]) => {
      const at = { x, y };
      x += 28 + 7 * type.length;
      return shapeSvg(look, at, 6, `fill="${inks[look.colour]}"`) + textSvg(type, at.x + 12, y + 4, inks.ink);
    })
    .join("");
}

function textSvg(text: string, x: number, y: number, colour: string, anchor = "start"): string {
  return `<text x="${x}" y="${y}" fill="${colour}" text-anchor="${anchor}">${escapeXml(text)}</text>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Names are anybody's text; what XML cannot hold is shown as missing. */
function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
    // eslint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
}
