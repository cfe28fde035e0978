import { Injectable } from '@nestjs/common';
import { demoDataContract, demoDataRemoval } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { DemoProjectRepository } from './demo-project.repository.js';

@Injectable()
export class DemoDataService {
  constructor(
    private readonly inbox: Inbox,
    private readonly projects: DemoProjectRepository,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(demoDataContract.countProjects)
  async count(): Promise<{ projects: number }> {
    return { projects: (await this.projects.listIds()).length };
  }

  @Handles(demoDataContract.removeProjects)
  remove(_: object, context: RequestContext): Promise<{ projects: number }> {
    return this.inbox.once(context, async (tx) => {
      const ids = await this.projects.listIds(tx);
      const removed = { projects: ids.length };
      if (ids.length === 0) return removed;
      await this.projects.delete(tx, ids);
      await this.audit.record(tx, context.actor, { ...demoDataRemoval, before: removed });
      return removed;
    });
  }
}
