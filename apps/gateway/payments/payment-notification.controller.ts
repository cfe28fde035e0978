import { DomainError, paymentContract, paymentOperations } from '#libs/contracts';
import { clientNetwork, FairQueue } from '#libs/platform';
import { RpcClient } from '#libs/transport';
import { clientAddress } from '../limits/client-address.js';
import { RateLimits } from '../limits/rate-limits.js';
import { bytesOf, rawContentType } from '../routing/raw-body.js';
import { type Context, Serves } from '../routing/serves.js';

const retryAfterSeconds = 10;
/** What a notification that waits takes in memory besides its body. */
const leastBytes = 8 * 1024;

/**
 * Receives PayPal's notifications. 200 only once one is stored; PayPal repeats it after any other answer. The orders service, which knows the
 * tokens, decides what to accept; this controller keeps a flood from taking all the room of customers and of other networks.
 */
@Serves(paymentOperations)
export class PaymentNotificationController {
  private readonly queue = new FairQueue({
    atOnce: 32,
    // Bytes.
    mostWaiting: 32 * 1024 * 1024,
    // PayPal waits 30 seconds for an answer.
    mostWaitMs: 25_000,
    retryAfterSeconds,
  });

  constructor(
    private readonly rpc: RpcClient,
    private readonly limits: RateLimits,
  ) {}

  async receiveNotification(_: object, { request, caller }: Context): Promise<void> {
    const address = clientAddress(request);
    const body = bytesOf(request);
    const receive = async () => {
      const overLimit = await this.overLimit(address);
      const notification = {
        body: body.toString('base64'),
        contentType: rawContentType(request).slice(0, 200),
        networkOverLimit: overLimit !== undefined,
      };
      const { stored } = await this.rpc
        .call(paymentContract.receiveNotice, notification, caller)
        .catch((error: unknown) => {
          throw isOutage(error) ? new DomainError('UNAVAILABLE', { retryAfterSeconds }) : error;
        });
      if (!stored) throw overLimit!;
    };
    await this.queue.run(clientNetwork(address), receive, Math.max(body.length, leastBytes));
  }

  /** The answer for the network of this address, if it has sent too many. */
  private overLimit(address: string): Promise<DomainError | undefined> {
    return this.limits.count('notices', address).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof DomainError && error.code === 'RATE_LIMITED') return error;
        throw error;
      },
    );
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'TIMEOUT' || error.code === 'INTERNAL');
}
