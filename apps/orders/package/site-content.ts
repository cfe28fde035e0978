import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { contentContract, type SiteContentSnapshot, system } from '#libs/contracts';
import { LOGGER, Metrics } from '#libs/platform';
import { RpcClient } from '#libs/transport';
import { ORDERS_CONFIG, type OrdersConfig } from '../config.js';

/** A customer may be waiting for the answer, and content may be down. */
const deadlineMs = 1000;

/** The content service, as far as orders asks it anything. */
@Injectable()
export class SiteContent implements OnModuleInit, OnApplicationShutdown {
  private readonly rpc: RpcClient;

  constructor(
    @Inject(ORDERS_CONFIG) { REDIS_URL: redisUrl }: OrdersConfig,
    @Inject(LOGGER) logger: Logger,
    { observer }: Metrics,
  ) {
    this.rpc = new RpcClient({ redisUrl, caller: 'orders', logger, observer });
  }

  onModuleInit(): void {
    // Nobody waits for it: calls made before it is connected wait, until their deadline.
    void this.rpc.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rpc.close();
  }

  /** The whole site, unless it is still at this version. TIMEOUT, OVERLOADED, UNAVAILABLE. */
  async newerThan(known: number | undefined): Promise<SiteContentSnapshot | undefined> {
    const options = { actor: system, deadlineMs };
    const { version } = await this.rpc.call(contentContract.version, {}, options);
    return version === known ? undefined : this.rpc.call(contentContract.snapshot, {}, options);
  }
}
