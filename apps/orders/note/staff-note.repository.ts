import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOptionsWhere, IsNull } from 'typeorm';
import { StaffNoteEntity } from './staff-note.entity.js';

/** Notes about an order, or about a customer and all their orders. With `orderId: null`, those about the orders are left out. */
type NoteSelection = { orderId: string } | { accountId: string; orderId?: null };

@Injectable()
export class StaffNoteRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tx: EntityManager, note: StaffNoteEntity): Promise<void> {
    await tx.insert(StaffNoteEntity, note);
  }

  count(tx: EntityManager, selection: NoteSelection): Promise<number> {
    return tx.countBy(StaffNoteEntity, conditionOf(selection));
  }

  /** The newest `limit` notes, oldest first. */
  async list(selection: NoteSelection, limit: number): Promise<StaffNoteEntity[]> {
    const newestFirst = await this.dataSource.manager.find(StaffNoteEntity, {
      where: conditionOf(selection),
      order: { id: 'DESC' },
      take: limit,
    });
    return newestFirst.reverse();
  }

  /** About a deleted account. Keeps what staff wrote when they could know of the deletion: more than a minute after it. */
  async deleteAbout(tx: EntityManager, accountId: string): Promise<void> {
    await tx.sql`
      DELETE FROM staff_notes n USING deleted_accounts d
      WHERE n.account_id = ${accountId} AND d.account_id = n.account_id
        AND n.created_at <= d.deleted_at + interval '1 minute'`;
  }

  async anonymizeAuthor(tx: EntityManager, authorAccount: string, replacement: string): Promise<void> {
    await tx.update(StaffNoteEntity, { authorAccount }, { author: replacement });
  }
}

function conditionOf({ orderId, ...account }: NoteSelection): FindOptionsWhere<StaffNoteEntity> {
  return { ...account, ...(orderId !== undefined && { orderId: orderId ?? IsNull() }) };
}
