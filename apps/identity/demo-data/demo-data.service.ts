import { Injectable } from '@nestjs/common';
import { demoDataContract, demoDataRemoval } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { AccountRepository } from '../account/account.repository.js';

/** The gateway makes these calls only if every payment provider is simulated. */
@Injectable()
export class DemoDataService {
  constructor(
    private readonly inbox: Inbox,
    private readonly accounts: AccountRepository,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(demoDataContract.countAccounts)
  async count(): Promise<{ customers: number }> {
    return { customers: await this.accounts.countDemo() };
  }

  @Handles(demoDataContract.removeAccounts)
  remove(_: object, context: RequestContext): Promise<{ customers: number }> {
    return this.inbox.once(context, async (tx) => {
      const removed = { customers: await this.accounts.deleteDemo(tx) };
      if (removed.customers > 0)
        await this.audit.record(tx, context.actor, { ...demoDataRemoval, before: removed });
      return removed;
    });
  }
}
