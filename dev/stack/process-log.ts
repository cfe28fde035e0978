import { appendFile, rename, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';

const maxBytes = 5 * 1024 * 1024;
const repeatAfterMs = 10_000;
const keptLines = 50;

interface LogLine {
  level?: string;
  msg?: string;
  err?: { message?: string };
}

/**
 * The log file that all replicas of a process share, or that of a stand-in, Postgres or Redis. Above 5 MiB, it gets the suffix `.1` and a new one
 * begins. Passes warnings and errors that are lines of JSON to `report`, each text at most once in ten seconds.
 */
export class ProcessLog {
  private readonly lastLines: string[] = [];
  private size: number | undefined;
  private writing: Promise<void> = Promise.resolve();
  private readonly lastReported = new Map<string, number>();

  constructor(
    readonly file: string,
    private readonly report: (level: string, message: string) => void,
    private readonly onLine?: (line: string) => void,
  ) {}

  follow(stream: Readable): void {
    let rest = '';
    stream
      .setEncoding('utf8')
      .on('data', (text: string) => {
        this.write(text);
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.inspect(line);
      })
      // A process that crashes may not finish its last line.
      .on('end', () => this.inspect(rest));
  }

  writeLine(text: string): void {
    this.write(`${text}\n`);
    this.inspect(text);
  }

  flushed(): Promise<void> {
    return this.writing;
  }

  /** The most likely reason why the process ended: the last line that is an error, or is not JSON and not part of a stack trace. */
  reason(): string {
    for (const line of [...this.lastLines].reverse()) {
      const entry = parse(line);
      if (!entry && !isBelowMessage(line)) return line;
      if (entry?.level === 'fatal' || entry?.level === 'error') return messageOf(entry);
    }
    return 'it wrote no error';
  }

  private inspect(line: string): void {
    if (!line) return;
    this.lastLines.push(line);
    if (this.lastLines.length > keptLines) this.lastLines.shift();
    this.onLine?.(line);
    // Cheaper than parsing each line: most are neither warnings nor errors.
    if (!/"level":"(warn|error|fatal)"/.test(line)) return;
    const entry = parse(line);
    if (!entry?.level) return;
    const message = messageOf(entry);
    if (Date.now() - (this.lastReported.get(message) ?? 0) < repeatAfterMs) return;
    if (this.lastReported.size > 200) this.lastReported.clear();
    this.lastReported.set(message, Date.now());
    this.report(entry.level, message);
  }

  private write(text: string): void {
    this.writing = this.writing
      .then(async () => {
        this.size ??= await stat(this.file).then(
          ({ size }) => size,
          () => 0,
        );
        if (this.size > maxBytes) {
          await rename(this.file, `${this.file}.1`);
          this.size = 0;
        }
        await appendFile(this.file, text);
        this.size += Buffer.byteLength(text);
      })
      // A full disk must not stop the site.
      .catch(() => undefined);
  }
}

/** Whether Node writes this below an uncaught exception's message: stack trace, the error's properties, version. */
function isBelowMessage(line: string): boolean {
  return /^\s|^\}$|^Node\.js v\d/.test(line);
}

function parse(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

function messageOf({ msg, err }: LogLine): string {
  const parts = [msg, err?.message].filter((part) => part !== undefined && part !== '');
  return [...new Set(parts)].join(': ') || 'no message';
}
