import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type LimitName } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { GATEWAY_CONFIG, type GatewayConfig, type Limit } from '../config.js';
import { RedisCounters } from './redis-counters.js';

const maxLocalCounters = 50_000;

/**
 * Limits the calls of each client network, counted across all gateways in windows of fixed length. While Redis is unreachable, each gateway counts on
 * its own. The package rate-limiter-flexible is not used, because during such an outage it would keep any number of keys in memory.
 */
@Injectable()
export class RateLimits {
  private readonly limits: Record<LimitName, Limit>;
  private readonly localCounts = new Map<string, number>();

  constructor(
    private readonly counters: RedisCounters,
    private readonly clock: Clock,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
  ) {
    this.limits = {
      signIn: config.LIMIT_SIGN_IN,
      challenges: config.LIMIT_CHALLENGES,
      signUp: config.LIMIT_SIGN_UP,
      mail: config.LIMIT_MAIL,
      forms: config.LIMIT_FORMS,
      orders: config.LIMIT_ORDERS,
      payments: config.LIMIT_PAYMENTS,
      paymentNotifications: config.LIMIT_NOTICES,
      mailReports: config.LIMIT_MAIL_REPORTS,
    };
  }

  /** Throws RATE_LIMITED if the limit is exceeded, with the seconds until the next window. */
  async countCall(name: LimitName, address: string): Promise<void> {
    const { count: maxCalls, windowSeconds } = this.limits[name];
    const now = this.clock.now().getTime() / 1000;
    const window = Math.floor(now / windowSeconds);
    const key = `${name}:${clientNetwork(address)}:${window}`;
    const calls = await this.counters
      .increment(`gateway:limit:${key}`, windowSeconds)
      .catch(() => this.countLocally(key));
    if (calls <= maxCalls) return;
    const retryAfterSeconds = Math.ceil((window + 1) * windowSeconds - now);
    throw new DomainError('RATE_LIMITED', { retryAfterSeconds });
  }

  private countLocally(key: string): number {
    const calls = (this.localCounts.get(key) ?? 0) + 1;
    // Moves the key to the end of the map. The first key is then the one that was counted least recently.
    this.localCounts.delete(key);
    this.localCounts.set(key, calls);
    if (this.localCounts.size > maxLocalCounters)
      this.localCounts.delete(this.localCounts.keys().next().value!);
    return calls;
  }
}
