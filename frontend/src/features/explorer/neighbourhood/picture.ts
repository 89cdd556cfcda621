/** The picture as a file of its own: the drawing, what the signs mean, and where it is from. */
import { corners, type Look } from "@/lib/graphs/looks";
import type { Places, Point } from "./arrange";
import type { Inks } from "./inks";
import { nodeName, type Scene, type SceneNode } from "./scene";

export interface Credit {
  title: string;
  graph: string;
  version: string;
  snapshot: string;
  licence: string;
}

const MARGIN = 80;
const LINE = 18;
const FONT = "Inter, system-ui, sans-serif";

/** One line for under the picture: which graph, which version, under which licence. */
export function creditWords({ graph, version, snapshot, licence }: Credit): string {
  return `${graph}, ${version}, snapshot ${snapshot}. Licence: ${licence || "not stated"}.`;
}

export function asSvg(scene: Scene, places: Places, inks: Inks, credit: Credit): string {
  const box = boxOf(places);
  const types = typesOf(scene);
  const foot = LINE * (types.length > 0 ? 4 : 2);
  const [width, height] = [box.width + 2 * MARGIN, box.height + 2 * MARGIN + foot];
  const shift = `translate(${MARGIN - box.x} ${MARGIN - box.y})`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" font-size="12">`,
    `<title>${escaped(credit.title)}</title>`,
    `<desc>${escaped(creditWords(credit))}</desc>`,
    `<rect width="100%" height="100%" fill="${inks.surface}"/>`,
    `<g transform="${shift}">`,
    ...[...scene.edges, ...scene.ties].map(({ source, target }) => line(places[source], places[target], inks)),
    ...scene.nodes.map((node) => sign(node, places[node.id], inks)),
    "</g>",
    legend(types, height - foot + LINE / 2, inks),
    words(creditWords(credit), MARGIN / 2, height - LINE, inks.muted),
    "</svg>",
    "",
  ].join("\n");
}

/** The SVG, drawn once at twice its size. */
export async function asPng(svg: string): Promise<Blob> {
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

function boxOf(places: Places) {
  const all = Object.values(places);
  const xs = all.map(({ x }) => x);
  const ys = all.map(({ y }) => y);
  const [x, y] = [Math.min(0, ...xs), Math.min(0, ...ys)];
  return { x, y, width: Math.max(360, Math.max(0, ...xs) - x), height: Math.max(0, ...ys) - y };
}

function typesOf(scene: Scene): [string, Look][] {
  return [...new Map(scene.nodes.flatMap((node) => (node.kind === "entity" ? [[node.type, node.look] as const] : [])))];
}

function line(from: Point | undefined, to: Point | undefined, inks: Inks): string {
  if (!from || !to) return "";
  return `<line x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}" stroke="${inks["line-strong"]}" stroke-opacity="0.7"/>`;
}

function sign(node: SceneNode, at: Point | undefined, inks: Inks): string {
  if (!at) return "";
  const isMore = node.kind === "more";
  const colour = isMore ? inks.surface : inks[node.look.ink];
  const outline = isMore ? ` stroke="${inks.muted}" stroke-dasharray="3 2"` : "";
  const name = words(nodeName(node), at.x, at.y + 24, isMore ? inks.muted : inks.ink, "middle");
  return shape(isMore ? null : node.look, at, 9, `fill="${colour}"${outline}`) + name;
}

function shape(look: Look | null, { x, y }: Point, radius: number, paint: string): string {
  const points = look ? corners(look.shape, radius, x, y) : null;
  return points ? `<polygon points="${points}" ${paint}/>` : `<circle cx="${x}" cy="${y}" r="${radius}" ${paint}/>`;
}

function legend(types: [string, Look][], y: number, inks: Inks): string {
  let x = MARGIN / 2 + 6;
  return types
    .map(([type, look]) => {
      const at = { x, y };
      x += 28 + 7 * type.length;
      return shape(look, at, 6, `fill="${inks[look.ink]}"`) + words(type, at.x + 12, y + 4, inks.ink);
    })
    .join("");
}

function words(text: string, x: number, y: number, colour: string, anchor = "start"): string {
  return `<text x="${x}" y="${y}" fill="${colour}" text-anchor="${anchor}">${escaped(text)}</text>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Names are anybody's text; what XML cannot hold is shown as missing. */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter)
    // eslint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
}
