/** Which part of the drawing is seen, and how large. */
import type { Box } from "./edgeLabels";
import type { Point } from "./picture";

const MIN_ZOOM = 0.15;
const MAX_ZOOM = 3;

export class Viewport {
  zoom = 1;
  /** Where the origin of the drawing stands in the frame. */
  pan: Point = { x: 0, y: 0 };

  constructor(private readonly frame: HTMLElement, private readonly onChange: () => void) {}

  get width(): number {
    return this.frame.clientWidth;
  }

  get height(): number {
    return this.frame.clientHeight;
  }

  panBy(x: number, y: number): void {
    this.pan = { x: this.pan.x + x, y: this.pan.y + y };
    this.onChange();
  }

  /** What stands at this point of the frame stays there: by default, in its middle. */
  zoomTo(level: number, at: Point = { x: this.width / 2, y: this.height / 2 }): void {
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, level));
    const share = zoom / this.zoom;
    this.zoom = zoom;
    this.pan = { x: at.x - share * (at.x - this.pan.x), y: at.y - share * (at.y - this.pan.y) };
    this.onChange();
  }

  centre({ x1, y1, x2, y2 }: Box): void {
    this.pan = { x: (this.width - this.zoom * (x1 + x2)) / 2, y: (this.height - this.zoom * (y1 + y2)) / 2 };
    this.onChange();
  }

  /** As large as the box goes, and at most so large. */
  fit(box: Box, padding: number, maxZoom: number): void {
    const [across, down] = [this.width - 2 * padding, this.height - 2 * padding];
    this.zoomTo(Math.min(maxZoom, across / (box.x2 - box.x1), down / (box.y2 - box.y1)));
    this.centre(box);
  }

  /** All of it is in the frame. */
  shows({ x1, y1, x2, y2 }: Box): boolean {
    const left = this.pan.x + this.zoom * x1;
    const top = this.pan.y + this.zoom * y1;
    return left >= 0 && top >= 0 && this.pan.x + this.zoom * x2 <= this.width && this.pan.y + this.zoom * y2 <= this.height;
  }
}
