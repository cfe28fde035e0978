import type { Preview } from './preview.js';

/** Six pages, and what they were called before. */
const keptAtMost = 24;

/** Drawn previews by their address, each drawn once however many ask for it. */
export class Previews {
  private readonly kept = new Map<string, Promise<Buffer>>();

  constructor(private readonly draw: (preview: Preview) => Promise<Buffer>) {}

  image(preview: Preview): Promise<Buffer> {
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
