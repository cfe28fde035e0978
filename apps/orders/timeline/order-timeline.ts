import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TimelineEntry } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { OrderTimelineEntity } from './order-timeline.entity.js';

export interface TimelineInput {
  kind: TimelineEntry['kind'];
  /** One sentence for a person; customers read it too. */
  text: string;
  /** An e-mail address, `PayPal`, or null for the system. */
  by: string | null;
  /** Of whom `by` names, if that is a person. */
  byAccount?: string;
  /** Facts for admins. */
  evidence?: Record<string, unknown>;
}

/** A longer story is told from its end. */
const entriesAtMost = 200;

/** What happened to each order. */
@Injectable()
export class OrderTimeline {
  async append(tx: EntityManager, orderId: string, entries: readonly TimelineInput[]): Promise<void> {
    if (entries.length === 0) return;
    const at = new Date();
    const rows = entries.map(({ evidence = {}, ...entry }) => ({
      id: uuidv7(),
      orderId,
      at,
      evidence,
      ...entry,
    }));
    await tx.insert(OrderTimelineEntity, rows as object[]);
  }

  /** Whether an entry of this kind has such evidence. */
  async has(
    tx: EntityManager,
    orderId: string,
    kind: TimelineInput['kind'],
    evidence: Record<string, string>,
  ): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM order_timeline WHERE order_id = $1 AND kind = $2 AND evidence @> $3::jsonb LIMIT 1`,
      [orderId, kind, JSON.stringify(evidence)],
    );
    return rows.length > 0;
  }

  /** The newest 200 entries, oldest first. Who did it, and the evidence, are for admins. */
  async of(manager: EntityManager, orderId: string, reader: 'customer' | 'admin'): Promise<TimelineEntry[]> {
    const newestFirst = await manager.find(OrderTimelineEntity, {
      where: { orderId },
      order: { id: 'DESC' },
      take: entriesAtMost,
    });
    return newestFirst.reverse().map(({ id, at, kind, text, by, evidence }) => ({
      _id: id,
      at: at.toISOString(),
      kind,
      text,
      ...(reader === 'admin' ? { by, evidence } : { by: null, evidence: {} }),
    }));
  }
}
