import { Inject, Injectable } from '@nestjs/common';
import { broadcasts, DomainError, secondFactorContract } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { AccountRepository } from '../account/account.repository.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { AdminRequirementRepository } from './admin-requirement.repository.js';
import { AdminUserService } from './admin-user.service.js';

/**
 * If a second factor is required, an admin who has none stays on the list of admins, but acts as a customer. Only an admin with a second factor can
 * require one, so nobody locks themselves out.
 */
@Injectable()
export class AdminRequirementService {
  constructor(
    private readonly requirement: AdminRequirementRepository,
    private readonly adminUsers: AdminUserService,
    private readonly accounts: AccountRepository,
    private readonly factors: SecondFactorService,
    private readonly inbox: Inbox,
    private readonly broadcaster: BroadcastService,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Handles(secondFactorContract.getAdminRequirement)
  async read(): Promise<{ required: boolean }> {
    return { required: await this.requirement.isRequired() };
  }

  @Handles(secondFactorContract.setAdminRequirement)
  async set({ required }: { required: boolean }, context: RequestContext): Promise<{ required: boolean }> {
    const result = await this.inbox.once(context, async (tx) => {
      await this.adminUsers.lockAndRequireAdmin(tx, context.actor);
      const { id } = await this.accounts.lockOwn(tx, context.actor);
      if (required && !(await this.factors.hasAny(tx, id)))
        throw new DomainError('SECOND_FACTOR_MISSING', {}, 'Set up your own second factor first.');
      const before = await this.requirement.set(tx, required, id, this.clock.now());
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
      this.logger.info({ accountId: id, required }, 'Set whether admins must have a second factor');
      return { required };
    });
    await this.broadcaster.publish(broadcasts.adminsChanged, {});
    return result;
  }
}
