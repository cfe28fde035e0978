import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { StaffNoteEntity } from './staff-note.entity.js';

type Subject = { orderId: string };

/** The table `staff_notes`. */
@Injectable()
export class StaffNoteRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tx: EntityManager, note: StaffNoteEntity): Promise<void> {
    await tx.insert(StaffNoteEntity, note);
  }

  count(tx: EntityManager, subject: Subject): Promise<number> {
    return tx.countBy(StaffNoteEntity, subject);
  }

  /** The newest `limit` notes, oldest first. */
  async list(subject: Subject, limit: number): Promise<StaffNoteEntity[]> {
    const newestFirst = await this.dataSource.manager.find(StaffNoteEntity, {
      where: subject,
      order: { id: 'DESC' },
      take: limit,
    });
    return newestFirst.reverse();
  }

  async deleteAbout(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(StaffNoteEntity, { accountId });
  }

  async anonymizeAuthor(tx: EntityManager, authorAccount: string, replacement: string): Promise<void> {
    await tx.update(StaffNoteEntity, { authorAccount }, { author: replacement });
  }
}
