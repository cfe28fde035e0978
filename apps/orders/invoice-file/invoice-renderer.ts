import { parentPort } from 'node:worker_threads';
import { pdfOf } from './invoice-pdf.js';
import { xmlOf } from './invoice-xml.js';
import type { RenderAnswer, RenderRequest } from './rendering-thread.js';

/** Runs in the thread of `RenderingThread`. */
parentPort?.on('message', ({ id, document, logo }: RenderRequest) => {
  const answer = (message: RenderAnswer) => parentPort?.postMessage(message);
  Promise.resolve()
    .then(() => pdfOf(document, xmlOf(document), logo))
    .then(
      (pdf) => answer({ id, pdf }),
      (error: unknown) => answer({ id, fault: error instanceof Error ? error.message : String(error) }),
    );
});
