import type { Connection } from './connection.js';

const samplesKept = 10;

/**
 * Redis's clock, known without asking each time: deadlines count from the moment Redis accepted a request, so every process uses the same
 * clock for them, whatever its own says. Of the last ten readings, the one with the shortest round trip is used, because it is the most exact.
 */
export class RedisClock {
  private samples: { offset: number; roundTrip: number }[] = [];
  private offset?: number;

  async sample(connection: Connection): Promise<void> {
    const asked = performance.now();
    const [seconds, microseconds] = await connection.sendCommand<[string, string]>(['TIME']);
    const answered = performance.now();
    const time = Number(seconds) * 1000 + Number(microseconds) / 1000;
    this.samples.push({ offset: time - (asked + answered) / 2, roundTrip: answered - asked });
    if (this.samples.length > samplesKept) this.samples.shift();
    this.offset = this.samples.reduce((best, one) => (one.roundTrip < best.roundTrip ? one : best)).offset;
  }

  /** After a reconnect, it may be another Redis with another clock. */
  forget(): void {
    this.samples = [];
  }

  /** Milliseconds since 1970, by Redis. */
  now(): number {
    return this.offset === undefined ? Date.now() : performance.now() + this.offset;
  }
}
