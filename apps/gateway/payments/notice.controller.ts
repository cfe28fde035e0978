import { Body, Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError, paymentContract } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';
import { type CallOptions, RpcClient } from '#libs/transport';
import { clientAddress } from '../limits/client-address.js';
import { RateLimits } from '../limits/rate-limits.js';
import { Caller } from '../policy/caller.js';
import { Serves } from '../routing/endpoint.js';
import { rawContentType } from '../routing/raw-body.js';
import { FairQueue } from './fair-queue.js';
import { receiveNoticeEndpoint } from './payment.endpoints.js';

const retryAfterSeconds = 10;

/**
 * PayPal's door. 200 only once the notification is stored; whatever else is answered, PayPal sends it again. Who is let in is decided by
 * the orders service, which knows the tokens; here a flood must leave room for customers and for other networks.
 */
@Controller()
export class NoticeController {
  private readonly queue = new FairQueue({
    atOnce: 32,
    mostBytes: 32 * 1024 * 1024,
    leastBytes: 8 * 1024,
    // PayPal waits 30 seconds for an answer.
    mostWaitMs: 25_000,
    retryAfterSeconds,
  });

  constructor(
    private readonly rpc: RpcClient,
    private readonly limits: RateLimits,
  ) {}

  @Serves(receiveNoticeEndpoint)
  async receive(
    @Body() body: Buffer = Buffer.alloc(0),
    @Req() request: FastifyRequest,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    const address = clientAddress(request);
    await this.queue.run(clientNetwork(address), body.length, async () => {
      const overLimit = await this.overLimit(address);
      const { stored } = await this.rpc
        .call(
          paymentContract.receiveNotice,
          {
            body: body.toString('base64'),
            contentType: rawContentType(request).slice(0, 200),
            networkOverLimit: overLimit !== undefined,
          },
          caller,
        )
        .catch((error: unknown) => {
          throw isOutage(error) ? new DomainError('UNAVAILABLE', { retryAfterSeconds }) : error;
        });
      if (!stored) throw overLimit!;
    });
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
