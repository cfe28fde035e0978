import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** How often a comment is sent, so that proxies and readers do not take a quiet stream for a dead one. */
const heartbeatMs = 15_000;
/** A reader is disconnected if the write buffer has not drained after this time. It can reconnect and continue after the id of its last event. */
const slowReaderMs = 30_000;
/** How long a stream that has ended may take to deliver what was sent before. */
const endGraceMs = 1_000;

type Headers = Record<string, number | string | string[] | undefined>;

/**
 * A response that is a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). For a slow reader, at most
 * the response's write buffer and one event are held in memory.
 */
export class EventStream {
  constructor(private readonly response: ServerResponse) {}

  /** Also false if the reader left before the stream began. */
  get isOpen(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  /** Sends the response's status, these headers and those of an event stream. `onClose` is called once, when either side has ended the stream. */
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
      // Proxies should neither store nor compress the stream, nor wait until they have more of it.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      // Nothing else is answered on this connection, which ends with the stream.
      connection: 'close',
    });
    // A reader that loses its connection tries again after two seconds.
    response.write('retry: 2000\n\n');
  }

  /** Resolves when the next event may be sent: immediately while the write buffer has room, otherwise when it has drained or the stream has ended. */
  async send(id: number, data: unknown): Promise<void> {
    if (!this.isOpen) return;
    // JSON contains no line breaks, which would end the field.
    if (!this.response.write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`)) await this.drained();
  }

  /** Ends the response. Its reader may connect again. */
  end(): void {
    if (!this.isOpen) return;
    this.response.end();
    setTimeout(() => this.response.destroy(), endGraceMs).unref();
  }

  private drained(): Promise<void> {
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
