import { drawLinkPreview } from './draw-preview.js';
import type { DrawingAnswer, DrawingRequest } from './drawing-process.js';

process.on('message', ({ id, preview }: DrawingRequest) => {
  const answer = (message: DrawingAnswer) => process.send?.(message);
  drawLinkPreview(preview).then(
    (image) => answer({ id, image }),
    (error: unknown) => answer({ id, fault: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
