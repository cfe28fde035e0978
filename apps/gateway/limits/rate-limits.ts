import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type LimitName } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { GATEWAY_CONFIG, type GatewayConfig, type Limit } from '../config.js';
import { RedisCounters } from './redis-counters.js';

/** While Redis is unreachable, each gateway counts on its own, for at most this many keys. */
const maxLocalCounters = 50_000;

/**
 * Limits the calls of one client network, counted in Redis across all gateways, in windows of fixed length. While Redis is unreachable, nobody
 * is refused for that: this gateway counts on its own. The package rate-limiter-flexible would do the same, but keeps any number of keys in memory.
 */
@Injectable()
export class RateLimits {
  private readonly limits: Record<LimitName, Limit>;
  private readonly local = new Map<string, number>();

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

  /** Throws RATE_LIMITED, with the seconds until the next window, when this call is one too many. */
  async count(name: LimitName, address: string): Promise<void> {
    const { count, windowSeconds } = this.limits[name];
    const now = this.clock.now().getTime() / 1000;
    const window = Math.floor(now / windowSeconds);
    const key = `${name}:${clientNetwork(address)}:${window}`;
    const counted = await this.counters
      .increment(`gateway:limit:${key}`, windowSeconds)
      .catch(() => this.countLocally(key));
    if (counted <= count) return;
    const retryAfterSeconds = Math.ceil((window + 1) * windowSeconds - now);
    throw new DomainError('RATE_LIMITED', { retryAfterSeconds });
  }

  private countLocally(key: string): number {
    const counted = (this.local.get(key) ?? 0) + 1;
    this.local.delete(key);
    this.local.set(key, counted);
    if (this.local.size > maxLocalCounters) this.local.delete(this.local.keys().next().value!);
    return counted;
  }
}
