import { Injectable } from '@nestjs/common';
import { demoDataContract, demoDataRemoval, type Output } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { DemoRecordRepository } from './demo-record.repository.js';

type Counts = Output<typeof demoDataContract.countMessaging>;

@Injectable()
export class DemoDataService {
  constructor(
    private readonly inbox: Inbox,
    private readonly records: DemoRecordRepository,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(demoDataContract.countMessaging)
  count(): Promise<Counts> {
    return this.records.count();
  }

  @Handles(demoDataContract.removeMessaging)
  remove(_: object, context: RequestContext): Promise<Counts> {
    return this.inbox.once(context, async (tx) => {
      const removed = await this.records.deleteAll(tx);
      if (Object.values(removed).some((count) => count > 0))
        await this.audit.record(tx, context.actor, { ...demoDataRemoval, before: removed });
      return removed;
    });
  }
}
