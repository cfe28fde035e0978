import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Thread, ThreadEntry } from '#libs/contracts';
import type { Session } from '#libs/testing';

/** Reads the event stream of a thread, like a browser's `EventSource`, but does not connect again when the stream ends. */
export class EventReader {
  readonly events: { id: string; data: Thread }[] = [];
  isEnded = false;
  private incompleteBlock = '';

  private constructor(
    private readonly clientRequest: ClientRequest,
    readonly answer: IncomingMessage,
  ) {
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => this.take(text));
    answer.on('error', () => undefined);
    answer.once('close', () => (this.isEnded = true));
  }

  static async open(
    session: Session,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<EventReader> {
    const clientRequest = request(`${session.url}${path}`, {
      headers: { authorization: `Bearer ${session.bearer}`, accept: 'text/event-stream', ...headers },
      agent: false,
    });
    clientRequest.on('error', () => undefined);
    const [answer] = (await once(clientRequest.end(), 'response')) as [IncomingMessage];
    return new EventReader(clientRequest, answer);
  }

  get status(): number {
    return this.answer.statusCode!;
  }

  get lastId(): string {
    return this.events.at(-1)!.id;
  }

  get entries(): ThreadEntry[] {
    return this.events.flatMap(({ data }) => data.entries);
  }

  stop(): void {
    this.clientRequest.destroy();
  }

  private take(text: string): void {
    const blocks = (this.incompleteBlock + text).split('\n\n');
    this.incompleteBlock = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(': ', 1)[0]!, line.slice(line.indexOf(': ') + 2)]),
      );
      const [id, data] = [fields.get('id'), fields.get('data')];
      // Heartbeats and `retry` have no id.
      if (id !== undefined) this.events.push({ id, data: JSON.parse(data!) as Thread });
    }
  }
}
