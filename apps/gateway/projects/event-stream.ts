import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** How often a comment is sent, so that a quiet stream does not seem dead. */
const heartbeatMs = 15_000;
/** A reader whose write buffer has not drained after this time is disconnected. It can continue after the id of its last event. */
const slowReaderMs = 30_000;
/** How long a stream that has ended may take to deliver what was sent before. */
const endGraceMs = 1_000;

type Headers = Record<string, number | string | string[] | undefined>;

/**
 * A stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). For a slow reader, memory holds at most the write
 * buffer and one event.
 */
export class EventStream {
  constructor(private readonly response: ServerResponse) {}

  /** Also false if the reader left before the stream began. */
  get isOpen(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  /** `onClose` is called once, when either side has ended the stream. */
  begin(headers: Headers, onClose: () => void): void {
    const { response } = this;
    const heartbeat = setInterval(() => this.beat(), heartbeatMs).unref();
    response.on('error', () => undefined);
    response.once('close', () => {
      clearInterval(heartbeat);
      onClose();
    });
    response.writeHead(200, {
      ...(headers as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies must not store, compress or buffer the stream.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      // The connection ends with the stream.
      connection: 'close',
    });
    // Milliseconds until a reader that lost its connection tries again.
    response.write('retry: 2000\n\n');
  }

  /** Resolves when the next event may be sent: once the write buffer has room, or the stream has ended. */
  async send(id: number, data: unknown): Promise<void> {
    if (!this.isOpen) return;
    // JSON contains no line breaks, which would end the field.
    if (!this.response.write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`)) await this.waitUntilDrained();
  }

  end(): void {
    if (!this.isOpen) return;
    this.response.end();
    setTimeout(() => this.response.destroy(), endGraceMs).unref();
  }

  private waitUntilDrained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      const timer = setTimeout(() => this.response.destroy(), slowReaderMs).unref();
      this.response.on('drain', done).on('close', done);
    });
  }

  private beat(): void {
    if (this.isOpen && !this.response.writableNeedDrain) this.response.write(':\n\n');
  }
}
