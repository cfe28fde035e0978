import type { Connection } from './connection.js';

const samplesKept = 10;

/**
 * Tells Redis's time without sending a command for every call. Deadlines count from the moment when Redis accepted a request, so all replicas use
 * Redis's clock. Of the last ten samples, the one with the shortest round trip is the most exact.
 */
export class RedisClock {
  private samples: { offset: number; roundTrip: number }[] = [];
  private offset?: number;

  async takeSample(connection: Connection): Promise<void> {
    const askedAt = performance.now();
    const [seconds, microseconds] = await connection.sendCommand<[string, string]>(['TIME']);
    const answeredAt = performance.now();
    const time = Number(seconds) * 1000 + Number(microseconds) / 1000;
    this.samples.push({ offset: time - (askedAt + answeredAt) / 2, roundTrip: answeredAt - askedAt });
    if (this.samples.length > samplesKept) this.samples.shift();
    this.offset = this.samples.reduce((best, one) => (one.roundTrip < best.roundTrip ? one : best)).offset;
  }

  /** Call it after a reconnect: another Redis may have another clock. Until the next sample, `now` uses the old offset. */
  forget(): void {
    this.samples = [];
  }

  /** Milliseconds since 1970; before the first sample, by this machine's clock. */
  now(): number {
    return this.offset === undefined ? Date.now() : performance.now() + this.offset;
  }
}
