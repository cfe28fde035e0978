import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { broadcasts, DomainError } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { lockAccount } from '../account/lock-account.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { Clock } from '../clock.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';

/**
 * Whether every admin must have a second factor. Those without one go on being admins, and act as one once they have set one up. Whoever
 * demands it has one, so nobody shuts themselves out; and setting one up, and `npm run admin -- remove-second-factor`, are always possible.
 */
@Injectable()
export class AdminRequirementService {
  private readonly logger = new Logger(AdminRequirementService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly factors: SecondFactorService,
    private readonly announcer: BroadcastService,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  async read(): Promise<{ required: boolean }> {
    const [row] = await this.dataSource.query<{ second_factor: boolean }[]>(
      `SELECT second_factor FROM admin_requirements`,
    );
    return { required: row?.second_factor ?? false };
  }

  /** Throws SECOND_FACTOR_MISSING. */
  async set(required: boolean, context: RequestContext): Promise<{ required: boolean }> {
    const result = await this.inbox.once(context, async (tx) => {
      const { id } = await lockAccount(tx, context.actor);
      if (required && (await this.factors.methodsOf(tx, id)).length === 0)
        throw new DomainError('SECOND_FACTOR_MISSING', {}, 'Set up your own second factor first.');
      const [known] = await tx.query<{ second_factor: boolean }[]>(
        `SELECT second_factor FROM admin_requirements FOR UPDATE`,
      );
      await tx.query(`UPDATE admin_requirements SET second_factor = $1, changed_at = $2, changed_by = $3`, [
        required,
        this.clock.now(),
        id,
      ]);
      const before = known?.second_factor ?? false;
      if (before !== required) {
        await this.audit.record(tx, context.actor, {
          section: 'adminRequirement',
          recordId: 'adminRequirement',
          name: 'Second factor of admins',
          change: 'updated',
          before: { required: before },
          after: { required },
        });
      }
      this.logger.log(`${id} ${required ? 'demands' : 'no longer demands'} a second factor of admins`);
      return { required };
    });
    await this.announcer.tell(broadcasts.adminsChanged, {});
    return result;
  }
}
