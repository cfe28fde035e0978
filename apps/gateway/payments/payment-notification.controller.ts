import { DomainError, paymentContract } from '#libs/contracts';
import { paymentOperations } from '#libs/operations';
import { RpcClient } from '#libs/transport';
import { bytesOf, rawContentType } from '../routing/raw-body.js';
import { type Context, Serves } from '../routing/serves.js';

/** The most notifications on their way to the orders service: a flood of them must leave room for customers. */
const maxConcurrent = 32;
const retryAfterSeconds = 10;

/** Receives PayPal's notifications. 200 only once one is stored; PayPal repeats it after any other answer. */
@Serves(paymentOperations)
export class PaymentNotificationController {
  private underWay = 0;

  constructor(private readonly rpc: RpcClient) {}

  async receiveNotification(_: object, { request, caller }: Context): Promise<void> {
    if (this.underWay >= maxConcurrent) throw new DomainError('OVERLOADED', { retryAfterSeconds });
    this.underWay += 1;
    try {
      const notice = {
        body: bytesOf(request).toString('base64'),
        contentType: rawContentType(request).slice(0, 200),
      };
      await this.rpc.call(paymentContract.receiveNotice, notice, caller);
    } catch (error) {
      throw isOutage(error) ? new DomainError('UNAVAILABLE', { retryAfterSeconds }) : error;
    } finally {
      this.underWay -= 1;
    }
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'TIMEOUT' || error.code === 'INTERNAL');
}
