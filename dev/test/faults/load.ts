import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { eventually, Session } from '#libs/testing';
import type { DatabaseUrls } from '../../stack/databases.js';
import type { StackFile } from '../../stack/stack.js';
import { MailCatcher } from '../../stand-ins/mail/client.js';

const kinds = ['page', 'json', 'own orders', 'message', 'order'] as const;
type Kind = (typeof kinds)[number];

interface Outcome {
  kind: Kind;
  /** Like `ended`, a time of `performance.now()`. */
  began: number;
  ended: number;
  /** The status, or why there was no answer. */
  status: number | string;
}

interface Call {
  kind: Kind;
  method?: 'POST';
  path: string;
  headers: Record<string, string>;
  body?: object;
}

/** Three times the default deadline of a call (`RpcClient`). */
const timeoutMs = 30_000;
const pauseMs = 40;
const clientsOfEachKind = 2;

/** After one of these statuses, or without an answer, a write is retried with the same key. */
const temporaryStatuses = new Set<number | string>([429, 502, 503, 504]);
const isTemporary = (status: number | string) => typeof status === 'string' || temporaryStatuses.has(status);
const isOk = ({ status }: Outcome) => status === 200 || status === 201;

/**
 * Simulates users, who read pages, public JSON and their own orders, write messages and place orders, over connections that stay open. A write that
 * fails temporarily is retried with the same `Idempotency-Key`. Afterwards the databases show whether every acknowledged write is stored exactly
 * once.
 */
export class Load {
  readonly outcomes: Outcome[] = [];
  readonly acknowledged = { message: new Set<string>(), order: new Set<string>() };
  private readonly agent = new Agent({ keepAlive: true });
  private readonly clients: Promise<void>[] = [];
  private stopped = false;

  private constructor(
    private readonly url: string,
    private readonly customer: Session,
    private readonly offer: { packageName: string; packagePrice: string },
  ) {}

  static async start({ url, mail }: StackFile): Promise<Load> {
    const email = `load-${randomUUID().slice(0, 8)}@example.com`;
    const customer = await Session.register(url, { email, password: 'a fine long password' });
    await confirmAddress(customer, MailCatcher.at(mail!.url));
    const offers = await customer.get<{ packageName: string; packagePrice: string }[]>('/pricings');
    const load = new Load(url, customer, offers.json[0]!);
    for (let client = 0; client < clientsOfEachKind; client++) {
      const accept = { accept: 'application/json' };
      const signedIn = { ...accept, authorization: `Bearer ${customer.bearer}` };
      load.startReader({ kind: 'page', path: '/', headers: { accept: 'text/html' } });
      load.startReader({ kind: 'json', path: '/service-items', headers: accept });
      load.startReader({ kind: 'own orders', path: '/orders', headers: signedIn });
      load.startWriter((mark) => load.messageCall(mark, accept));
      load.startWriter((mark) => load.orderCall(mark, signedIn));
    }
    await load.waitUntilEverythingWorks(performance.now());
    return load;
  }

  /** Waits for running requests. A write that fails temporarily is still retried. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  /** Resolves when the last `inARow` requests of each kind have succeeded, counting only those that began at `since` or later. */
  async waitUntilEverythingWorks(since: number, inARow = 10): Promise<void> {
    await eventually(
      () => {
        for (const kind of kinds) {
          const last = this.outcomes
            .filter((outcome) => outcome.kind === kind && outcome.began >= since)
            .slice(-inARow);
          if (last.length < inARow || !last.every(isOk))
            throw new Error(`${kind} does not work yet: ${last.map(({ status }) => status).join(', ')}`);
        }
      },
      { intervalMs: 100 },
    );
  }

  failures(since = 0): Outcome[] {
    return this.outcomes.filter((outcome) => outcome.ended >= since && !isOk(outcome));
  }

  summary(since = 0): string {
    const ended = this.outcomes.filter((outcome) => outcome.ended >= since);
    const failed = new Map<string, number>();
    for (const { kind, status } of this.failures(since)) {
      const what = `${kind} ${status}`;
      failed.set(what, (failed.get(what) ?? 0) + 1);
    }
    const longest = Math.max(0, ...ended.map(({ began, ended: at }) => at - began));
    const list = [...failed].map(([what, count]) => `${count} × ${what}`).join(', ') || 'none';
    return `${ended.length} requests, failed: ${list}; the longest took ${Math.round(longest)} ms`;
  }

  /** Acknowledged writes that are not stored exactly once, other writes stored more than once, and failures that the faults do not explain. */
  async problems(databases: DatabaseUrls): Promise<string[]> {
    const stored = {
      message: await countByMark(
        databases.messaging,
        `SELECT subject AS mark FROM messages WHERE subject LIKE 'load %'`,
      ),
      order: await countByMark(
        databases.orders,
        `SELECT customer_name AS mark FROM orders WHERE customer_name LIKE 'load %'`,
      ),
    };
    const wrong = (['message', 'order'] as const).flatMap((kind) => {
      const all = new Set([...this.acknowledged[kind], ...stored[kind].keys()]);
      return [...all]
        .filter((mark) => stored[kind].get(mark) !== 1)
        .map((mark) => `${kind} ${mark} is stored ${stored[kind].get(mark) ?? 0} times`);
    });
    const unexplained = this.outcomes.filter((outcome) => !isOk(outcome) && !isTemporary(outcome.status));
    return [...wrong, ...unexplained.map(({ kind, status }) => `${kind}: ${status}`)];
  }

  private startReader(call: Call): void {
    this.clients.push(
      this.repeat(async () => {
        await this.send(call);
      }),
    );
  }

  /** Each record that is written contains a new mark, by which `countByMark` finds it. */
  private startWriter(callWith: (mark: string) => Call & { kind: 'message' | 'order' }): void {
    this.clients.push(
      this.repeat(async () => {
        const mark = `load ${randomUUID()}`;
        const call = callWith(mark);
        for (;;) {
          const { status } = await this.send(call);
          if (status === 201) return void this.acknowledged[call.kind].add(mark);
          if (!isTemporary(status)) return;
          await wait(pauseMs);
        }
      }),
    );
  }

  private async repeat(once: () => Promise<void>): Promise<void> {
    while (!this.stopped) {
      await once();
      await wait(pauseMs);
    }
  }

  private messageCall(mark: string, headers: Record<string, string>) {
    const body = {
      fullName: 'Ada Lovelace',
      emailAddress: 'ada@example.com',
      subject: mark,
      message: 'Is anybody there?',
      messageStatus: 'UnRead',
    };
    return { kind: 'message', path: '/add-message', ...keyedPost(mark, headers, body) } as const;
  }

  private orderCall(mark: string, headers: Record<string, string>) {
    const body = {
      packageName: this.offer.packageName,
      packagePrice: this.offer.packagePrice,
      customerEmail: this.customer.email,
      customerName: mark,
      customerAddress: '12 St James’s Square',
      customerCountry: 'United Kingdom',
      paymentStatus: 'UnPaid',
      orderStatus: 'Pending',
    };
    return { kind: 'order', path: '/new-order', ...keyedPost(mark, headers, body) } as const;
  }

  private async send({ kind, method, path, headers, body }: Call): Promise<Outcome> {
    const began = performance.now();
    const status = await statusOf(new URL(path, this.url), this.agent, { method, headers, body });
    const outcome = { kind, began, ended: performance.now(), status };
    this.outcomes.push(outcome);
    return outcome;
  }
}

/** Customers get mails about orders only at a confirmed address. `killed-processes` counts these mails. */
async function confirmAddress(customer: Session, mail: MailCatcher): Promise<void> {
  const { text } = await eventually(() => mail.newest({ to: customer.email, subject: 'Confirm' }));
  const [, token] = /\/verify-email#token=([\w-]+)/.exec(text)!;
  const answer = await customer.post('/auth/verify-email', { token });
  if (answer.status !== 200) throw new Error(`/auth/verify-email answered ${answer.status}: ${answer.text}`);
}

/** The status of the complete answer, or the error. */
function statusOf(
  url: URL,
  agent: Agent,
  { method = 'GET', headers, body }: Pick<Call, 'headers' | 'body'> & { method?: string },
): Promise<number | string> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const allHeaders = text === undefined ? headers : { ...headers, 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request(url, { agent, method, headers: allHeaders, signal }, (answer) => {
      answer.resume();
      answer.once('error', failed);
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', failed);
    sent.end(text);
  });
}

async function countByMark(databaseUrl: string, sql: string): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const counts = new Map<string, number>();
    for (const { mark } of (await client.query<{ mark: string }>(sql)).rows)
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
    return counts;
  } finally {
    await client.end();
  }
}

/** A POST that can be retried: its idempotency key comes from the mark. */
function keyedPost(mark: string, headers: Record<string, string>, body: object) {
  const key = { 'idempotency-key': mark.replace(' ', '-') };
  return { method: 'POST', headers: { ...headers, ...key }, body } as const;
}
