import { connect, type Socket } from 'node:net';

export interface VirusScannerOptions {
  /** `tcp://host:port`; an IPv6 address is in brackets. */
  url: string;
  /** For a whole file. */
  deadlineMs?: number;
  /** How long the connection may be idle. clamd sends nothing while it scans, by default for at most 120 seconds (`MaxScanTime`). */
  idleMs?: number;
}

export type Verdict = { infected: false } | { infected: true; virus: string };

/** No reply of clamd is longer. */
const maxReplyBytes = 4_096;

/** Null if `CLAMD_URL` is not set. */
export const VIRUS_SCANNER = Symbol('virus scanner');

/** Uses clamd's command INSTREAM (https://docs.clamav.net/manual/Usage/Scanning.html). */
export class VirusScanner {
  constructor(private readonly options: VirusScannerOptions) {}

  /** Rejects if clamd cannot be reached, does not answer in time, or answers anything but a verdict. */
  async scan(bytes: AsyncIterable<Buffer>): Promise<Verdict> {
    const { url, deadlineMs = 300_000, idleMs = 150_000 } = this.options;
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
    socket.setTimeout(idleMs, () => socket.destroy(new Error('clamd has not answered in time')));
    const deadline = setTimeout(() => socket.destroy(new Error('clamd takes too long')), deadlineMs);
    const replied = replyOf(socket);
    try {
      await send(socket, bytes, replied);
      return verdictOf(await replied);
    } finally {
      clearTimeout(deadline);
      socket.destroy();
    }
  }
}

/** Ends early when the connection is lost, or when clamd has already answered, as it does for a file that is too large. */
async function send(socket: Socket, bytes: AsyncIterable<Buffer>, replied: Promise<string>): Promise<void> {
  const reply = { isSettled: false };
  const settled = replied.then(
    () => void (reply.isSettled = true),
    () => void (reply.isSettled = true),
  );
  const write = async (chunk: Buffer) => {
    if (socket.write(chunk)) return;
    await Promise.race([new Promise<void>((drained) => socket.once('drain', drained)), settled]);
  };
  await write(Buffer.from('zINSTREAM\0'));
  for await (const chunk of bytes) {
    if (reply.isSettled) return;
    // An empty chunk would end the file.
    if (chunk.length === 0) continue;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    socket.write(length);
    await write(chunk);
  }
  await write(Buffer.alloc(4));
}

function replyOf(socket: Socket): Promise<string> {
  const reply = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\0');
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > maxReplyBytes)
        socket.destroy(new Error('clamd has sent something other than an answer'));
    });
    socket.on('error', (cause) => reject(new Error(`clamd cannot be used: ${cause.message}`, { cause })));
    socket.on('close', () => reject(new Error('clamd has closed the connection')));
  });
  // The promise may reject before anybody awaits it.
  reply.catch(() => undefined);
  return reply;
}

function verdictOf(reply: string): Verdict {
  if (reply === 'stream: OK') return { infected: false };
  const [, virus] = /^stream: ([^\n]{1,500}) FOUND$/.exec(reply) ?? [];
  if (virus !== undefined) return { infected: true, virus };
  throw new Error(`clamd has not scanned a file: ${reply.slice(0, 200)}`);
}
