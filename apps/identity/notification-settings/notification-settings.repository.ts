import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type AdminNotification, adminNotifications, type NotificationSettings } from '#libs/contracts';

/** A row for each notification that an admin has switched off. No entity, because an admin's rows are only read and replaced together. */
@Injectable()
export class NotificationSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async read(accountId: string, tx: EntityManager = this.dataSource.manager): Promise<NotificationSettings> {
    const rows = await tx.sql<{ notification: string }[]>`
      SELECT notification FROM muted_notifications WHERE account_id = ${accountId}`;
    const muted = new Set(rows.map(({ notification }) => notification));
    return Object.fromEntries(
      Object.keys(adminNotifications).map((name) => [name, !muted.has(name)]),
    ) as NotificationSettings;
  }

  async replace(tx: EntityManager, accountId: string, settings: NotificationSettings): Promise<void> {
    const muted = (Object.keys(settings) as AdminNotification[]).filter((name) => !settings[name]);
    await tx.sql`DELETE FROM muted_notifications WHERE account_id = ${accountId}`;
    await tx.sql`
      INSERT INTO muted_notifications (account_id, notification) SELECT ${accountId}::uuid, unnest(${muted}::text[])`;
  }
}
