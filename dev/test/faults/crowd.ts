import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface CrowdRequest {
  path: string;
  body: object;
  /** Client addresses, sent in turn in `X-Forwarded-For`, as by a proxy in front of the site. */
  addresses: readonly string[];
}

export interface CrowdResult {
  /** All requests, including those that failed. */
  perSecond: number;
  /** By status, or by error. */
  answers: Map<number | string, number>;
  /** Median duration (ms) of successful answers. */
  median: number;
  /** Refusals with Retry-After. */
  withRetryAfter: number;
}

const timeoutMs = 30_000;
/** How often an open loop sends what is due. */
const tickMs = 5;

/** Clients that send the same request, over connections that stay open. */
export class Crowd {
  private readonly agent = new Agent({ keepAlive: true, maxFreeSockets: 10_000 });
  private next = 0;

  constructor(
    private readonly url: string,
    private readonly request: CrowdRequest,
  ) {}

  /** Each client sends its next request when the previous one is answered. Finds the site's capacity. */
  async closedLoop(clients: number, seconds: number): Promise<CrowdResult> {
    const counter = new AnswerCounter();
    const end = performance.now() + seconds * 1000;
    const runClient = async () => {
      while (performance.now() < end) await this.send(counter);
    };
    await Promise.all(Array.from({ length: clients }, runClient));
    return counter.result(seconds);
  }

  /** Sends a fixed number of requests per second without waiting for answers. Resolves when all have ended. */
  async openLoop(perSecond: number, seconds: number): Promise<CrowdResult> {
    const counter = new AnswerCounter();
    const requests: Promise<void>[] = [];
    const began = performance.now();
    for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - began) / 1000) {
      for (const due = Math.floor(elapsed * perSecond); requests.length < due;)
        requests.push(this.send(counter));
      await wait(tickMs);
    }
    const took = (performance.now() - began) / 1000;
    await Promise.all(requests);
    return counter.result(took);
  }

  close(): void {
    this.agent.destroy();
  }

  private send(counter: AnswerCounter): Promise<void> {
    const { path, body, addresses } = this.request;
    const address = addresses[this.next++ % addresses.length]!;
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-forwarded-for': address,
    };
    const began = performance.now();
    return new Promise((resolve) => {
      const failed = (error: NodeJS.ErrnoException) => {
        counter.add(error.code ?? error.message);
        resolve();
      };
      const sent = request(
        new URL(path, this.url),
        { agent: this.agent, method: 'POST', headers, timeout: timeoutMs },
        (answer) => {
          answer.resume();
          answer.once('error', failed);
          answer.once('end', () => {
            counter.add(answer.statusCode!, performance.now() - began, answer.headers['retry-after']);
            resolve();
          });
        },
      );
      sent.once('timeout', () => sent.destroy(new Error('no answer')));
      sent.once('error', failed);
      sent.end(JSON.stringify(body));
    });
  }
}

class AnswerCounter {
  private readonly answers = new Map<number | string, number>();
  private readonly times: number[] = [];
  private count = 0;
  private withRetryAfter = 0;

  add(answer: number | string, ms = 0, retryAfter?: string): void {
    this.count++;
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
    if (typeof answer === 'number' && answer < 300) this.times.push(ms);
    if (Number(retryAfter) >= 1) this.withRetryAfter++;
  }

  result(seconds: number): CrowdResult {
    const { answers, withRetryAfter } = this;
    const median = this.times.sort((a, b) => a - b)[Math.floor(this.times.length / 2)] ?? 0;
    return { perSecond: this.count / seconds, answers, median, withRetryAfter };
  }
}
