import { parentPort, workerData } from 'node:worker_threads';
import type { ReadAnswer } from './isolated-mail-reader.js';
import { readReceivedMail } from './received-mail.js';

/** The program of each worker thread of `IsolatedMailReader`: reads one mail and ends. */
const answer = await readReceivedMail(workerData as Uint8Array).then(
  (mail): ReadAnswer => ({ mail }),
  (error: unknown): ReadAnswer => ({ fault: error instanceof Error ? error.message : String(error) }),
);
const attachments = 'mail' in answer ? answer.mail.attachments : [];
const transferred = attachments.flatMap(({ content, decoded }) =>
  [content, ...decoded].map(({ buffer }) => buffer),
);
parentPort!.postMessage(answer, transferred);
