import type { LinkPreview } from './preview.js';

/** Enough for the previews of the six public pages with their current and former titles. */
const keptAtMost = 24;

/** Drawn previews by address. Concurrent requests share one drawing. */
export class LinkPreviews {
  private readonly kept = new Map<string, Promise<Buffer>>();

  constructor(private readonly draw: (preview: LinkPreview) => Promise<Buffer>) {}

  getImage(preview: LinkPreview): Promise<Buffer> {
    const known = this.kept.get(preview.address);
    if (known) return known;
    const drawing = this.draw(preview);
    this.kept.set(preview.address, drawing);
    drawing.catch(() => this.kept.delete(preview.address));
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= keptAtMost) break;
      this.kept.delete(oldest);
    }
    return drawing;
  }
}
