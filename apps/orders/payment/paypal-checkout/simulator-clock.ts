import { z } from 'zod';
import { askProvider, NoAnswerYet } from '../../provider-request/provider-request.js';
import { SimulatedClock } from '../subscription-provider.js';

const clockAnswer = z.object({ ahead: z.number() });

/** The clock of `dev/stand-ins/paypal`. */
export class PaypalSimulatorClock extends SimulatedClock {
  constructor(private readonly options: { origin: string; timeoutMs: number }) {
    super();
  }

  override readAheadMs(): Promise<number> {
    return this.call('GET');
  }

  override advanceTo(time: Date): Promise<number> {
    return this.call('POST', { to: time.toISOString() });
  }

  private async call(method: 'GET' | 'POST', body?: object): Promise<number> {
    const { origin, timeoutMs } = this.options;
    const { status, body: bytes } = await askProvider({
      method,
      url: `${origin}/control/clock`,
      ...(body && {
        headers: { 'Content-Type': 'application/json' },
        body: Buffer.from(JSON.stringify(body)),
      }),
      timeoutMs,
      maxBytes: 10_000,
    });
    // The clock is past the requested time already.
    if (status === 409) return this.readAheadMs();
    if (status !== 200) throw new NoAnswerYet(`the simulator's clock answered ${status}`);
    try {
      return clockAnswer.parse(JSON.parse(bytes.toString('utf8'))).ahead;
    } catch {
      throw new NoAnswerYet("the answer of the simulator's clock cannot be read");
    }
  }
}
