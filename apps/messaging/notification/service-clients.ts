import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  contentContract,
  identityContract,
  orderContract,
  type Output,
  type SiteContentSnapshot,
  system,
} from '#libs/contracts';
import { LOGGER, type Logger, Metrics } from '#libs/platform';
import { RpcClient } from '#libs/transport';
import { MESSAGING_CONFIG, type MessagingConfig } from './config.js';

const options = { actor: system, deadlineMs: 5_000 };

/** The other services, as far as messaging asks them anything. */
@Injectable()
export class Colleagues implements OnModuleInit, OnApplicationShutdown {
  private readonly rpc: RpcClient;

  constructor(
    @Inject(MESSAGING_CONFIG) { REDIS_URL: redisUrl }: MessagingConfig,
    @Inject(LOGGER) logger: Logger,
    { observer }: Metrics,
  ) {
    this.rpc = new RpcClient({ redisUrl, caller: 'messaging', logger, observer });
  }

  onModuleInit(): void {
    // Nobody waits for it: calls made before it is connected wait, until their deadline.
    void this.rpc.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rpc.close();
  }

  /** The whole site. */
  site(): Promise<SiteContentSnapshot> {
    return this.rpc.call(contentContract.snapshot, {}, options);
  }

  /** NOT_FOUND. */
  order(id: string): Promise<Output<typeof orderContract.told>> {
    return this.rpc.call(orderContract.told, { id }, options);
  }

  /** The account's address, if it is confirmed. */
  async confirmedEmail(accountId: string): Promise<string | null> {
    const { email } = await this.rpc.call(identityContract.confirmedEmail, { accountId }, options);
    return email;
  }

  /** The addresses of all admins, each confirmed. */
  admins(): Promise<string[]> {
    return this.rpc.call(identityContract.adminEmails, {}, options);
  }
}
