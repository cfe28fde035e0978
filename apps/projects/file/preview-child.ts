import { fstatSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type PreviewAnswer, type PreviewRequest, sourceFd } from './preview-renderer.js';

/** How often the main thread checks the memory use. It is free to do so, because another thread does the work. */
const checkEveryMs = 20;

/** The child process of `PreviewRenderer`: makes a preview of the open file that it inherits, and exits. */
if (isMainThread) process.once('message', renderInWatchedThread);
else void render(workerData as PreviewRequest).then((answer) => parentPort!.postMessage(answer));

function renderInWatchedThread(request: PreviewRequest): void {
  const checkMemory = () => process.memoryUsage.rss() > request.maxMemoryBytes && process.exit(1);
  checkMemory();
  setInterval(checkMemory, checkEveryMs).unref();
  process.once('disconnect', () => process.exit());
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: request, env: {} });
  worker.once('message', (answer: PreviewAnswer) => process.send!(answer, () => process.exit()));
  worker.once('error', () => process.exit(1));
}

async function render({ type, maxPixels }: PreviewRequest): Promise<PreviewAnswer> {
  try {
    const { renderPreview } = await import('./render-preview.js');
    return await renderPreview(sourceBytes(), type, maxPixels);
  } catch {
    return null;
  }
}

function sourceBytes(): Buffer {
  const bytes = Buffer.alloc(fstatSync(sourceFd).size);
  let read = 0;
  while (read < bytes.length) {
    const more = readSync(sourceFd, bytes, read, bytes.length - read, read);
    if (more === 0) break;
    read += more;
  }
  return bytes;
}
