import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { contentContract, type SiteContentSnapshot, system } from '#libs/contracts';
import { LOGGER, type Logger, Metrics } from '#libs/platform';
import { RpcClient } from '#libs/transport';
import type { OrdersConfig } from '../config.js';
import { ORDERS_CONFIG } from '../config.module.js';

/** A customer may be waiting for the answer, and content may be down. */
const deadlineMs = 1000;

/** Calls the content service. */
@Injectable()
export class ContentClient implements OnModuleInit, OnApplicationShutdown {
  private readonly rpc: RpcClient;

  constructor(
    @Inject(ORDERS_CONFIG) { REDIS_URL: redisUrl }: OrdersConfig,
    @Inject(LOGGER) logger: Logger,
    { observer }: Metrics,
  ) {
    this.rpc = new RpcClient({ redisUrl, caller: 'orders', logger, observer });
  }

  onModuleInit(): void {
    // Not awaited: calls wait for the connection until their deadline.
    void this.rpc.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rpc.close();
  }

  /** The whole site, unless it still has this version. TIMEOUT, OVERLOADED, UNAVAILABLE. */
  async snapshotAfter(known: number | undefined): Promise<SiteContentSnapshot | undefined> {
    const options = { actor: system, deadlineMs };
    const { version } = await this.rpc.call(contentContract.version, {}, options);
    return version === known ? undefined : this.rpc.call(contentContract.snapshot, {}, options);
  }
}
