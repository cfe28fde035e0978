import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { identityContract, type NotificationSettings } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { AccountRepository } from '../account/account.repository.js';
import { personOf } from '../account/person.js';
import { NotificationSettingsRepository } from './notification-settings.repository.js';

/** Each notification is on until an admin switches it off for themselves. */
@Injectable()
export class NotificationSettingsService {
  constructor(
    private readonly settings: NotificationSettingsRepository,
    private readonly accounts: AccountRepository,
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(identityContract.getNotificationSettings)
  read(_: object, { actor }: RequestContext): Promise<NotificationSettings> {
    return this.settings.read(personOf(actor).accountId);
  }

  @Handles(identityContract.updateNotificationSettings)
  update(after: NotificationSettings, context: RequestContext): Promise<NotificationSettings> {
    const { actor } = context;
    return this.inbox.once(context, async (tx) => {
      const { id, email } = await this.accounts.lockOwn(tx, actor);
      const before = await this.settings.read(id, tx);
      if (isDeepStrictEqual(before, after)) return after;
      await this.settings.replace(tx, id, after);
      await this.audit.record(tx, actor, {
        section: 'notificationSettings',
        recordId: id,
        name: email,
        change: 'updated',
        before,
        after,
      });
      return after;
    });
  }
}
