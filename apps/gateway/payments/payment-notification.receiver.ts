import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError, paymentContract, type PaymentProviderDefinition } from '#libs/contracts';
import { clientNetwork, FairQueue } from '#libs/platform';
import { RpcClient } from '#libs/transport';
import { clientAddress } from '../limits/client-address.js';
import { RateLimits } from '../limits/rate-limits.js';
import { bytesOf, rawContentType } from '../routing/raw-body.js';
import type { Context } from '../routing/serves.js';

const retryAfterSeconds = 10;
/** The least memory that a waiting notification takes, however short its body. */
const minBytes = 8 * 1024;

/**
 * `receive` resolves only once the notification is stored; after an error, providers repeat it. Because of the queue, a flood from one network does
 * not crowd out the notifications from other networks.
 */
@Injectable()
export class PaymentNotificationReceiver {
  private readonly queue = new FairQueue({
    concurrency: 32,
    // In bytes. Each notification counts with the size of its body, but at least with `minBytes`.
    maxWaitingSize: 32 * 1024 * 1024,
    // Providers wait 30 seconds for an answer.
    maxWaitMs: 25_000,
    retryAfterSeconds,
  });

  constructor(
    private readonly rpc: RpcClient,
    private readonly limits: RateLimits,
  ) {}

  async receive(
    { name: provider, notificationCall }: PaymentProviderDefinition,
    { request, caller }: Context,
  ): Promise<void> {
    const address = clientAddress(request);
    const body = bytesOf(request);
    const forward = async () => {
      const overLimitError = await this.countAgainstLimit(address);
      const notification = {
        provider,
        body: body.toString('base64'),
        contentType: rawContentType(request).slice(0, 200),
        headers: headersOf(request, notificationCall.headers),
        networkOverLimit: overLimitError !== undefined,
      };
      const { stored } = await this.rpc
        .call(paymentContract.receiveNotification, notification, caller)
        .catch((error: unknown) => {
          throw becomesUnavailable(error) ? new DomainError('UNAVAILABLE', { retryAfterSeconds }) : error;
        });
      // The orders service leaves a notification unstored only if its network is over its limit, so `overLimitError` is set.
      if (!stored) throw overLimitError!;
    };
    await this.queue.run(clientNetwork(address), forward, Math.max(body.length, minBytes));
  }

  /** Counts the notification. Resolves with RATE_LIMITED if the network has sent too many notifications. */
  private countAgainstLimit(address: string): Promise<DomainError | undefined> {
    return this.limits.countCall('paymentNotifications', address).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof DomainError && error.code === 'RATE_LIMITED') return error;
        throw error;
      },
    );
  }
}

/** `receiveNotification` does not take longer headers. */
const maxHeaderLength = 2_000;

function headersOf({ headers }: FastifyRequest, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' && value.length <= maxHeaderLength ? [[name, value]] : [];
    }),
  );
}

/** A provider gets a 503 with Retry-After for these codes. UNAVAILABLE and OVERLOADED are answered with a 503 anyway. */
function becomesUnavailable(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'TIMEOUT' || error.code === 'INTERNAL');
}
