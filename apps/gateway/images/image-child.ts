import { fstatSync, readSync } from 'node:fs';
import { type ChildAnswer, type ChildTask, uploadFd } from './image-processor.js';
import { processImage, UnusableImage } from './process-image.js';

/** sharp works on other threads, so this thread is free to check the memory. */
const checkEveryMs = 50;

/** The child process of `ImageProcessor`. It inherits the upload as an open file. */
process.once('message', ({ limits, maxMemoryBytes }: ChildTask) => {
  const exitIfOverMemory = () => process.memoryUsage.rss() > maxMemoryBytes && process.exit(1);
  exitIfOverMemory();
  setInterval(exitIfOverMemory, checkEveryMs).unref();
  const processUpload = async () => processImage(readUpload(), limits);
  processUpload().then(
    (image) => answer({ image }),
    (error: unknown) =>
      answer(error instanceof UnusableImage ? { unusable: error.message } : { fault: String(error) }),
  );
});
process.once('disconnect', () => process.exit());

function answer(message: ChildAnswer): void {
  process.send!(message, () => process.disconnect());
}

function readUpload(): Buffer {
  const bytes = Buffer.alloc(fstatSync(uploadFd).size);
  let read = 0;
  while (read < bytes.length) {
    const more = readSync(uploadFd, bytes, read, bytes.length - read, read);
    if (more === 0) break;
    read += more;
  }
  return bytes;
}
