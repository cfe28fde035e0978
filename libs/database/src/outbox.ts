import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type EntitySubscriberInterface, type QueryRunner } from 'typeorm';
import type { z } from 'zod';
import type { EventContract } from '#libs/contracts';
import { uuidv7 } from './uuid.js';

export interface EventOrigin {
  traceparent?: string;
}

/** An event's row commits or rolls back with the change. The outbox relay publishes the event afterwards, at least once. */
@Injectable()
export class Outbox {
  private readonly runnersWithEvents = new WeakSet<QueryRunner>();
  private readonly listeners = new Set<() => void>();

  constructor(dataSource: DataSource) {
    const subscriber: EntitySubscriberInterface = {
      afterTransactionCommit: ({ queryRunner }) => {
        // A released savepoint is reported too, while the transaction is still open.
        if (queryRunner.isTransactionActive || !this.runnersWithEvents.delete(queryRunner)) return;
        this.announce();
      },
    };
    dataSource.subscribers.push(subscriber);
  }

  /** Stores the event in the caller's transaction. Checks the payload, so that a mistake fails the change and not the consumers. */
  async append<P extends z.ZodType>(
    tx: EntityManager,
    contract: EventContract<P>,
    payload: z.input<P>,
    origin: EventOrigin = {},
  ): Promise<void> {
    const runner = tx.queryRunner;
    if (!runner?.isTransactionActive)
      throw new Error(`${contract.event} must be appended inside a transaction`);
    await tx.query(
      `INSERT INTO outbox_messages (id, event, payload, traceparent) VALUES ($1, $2, $3, $4)`,
      this.row(contract, payload, origin),
    );
    this.runnersWithEvents.add(runner);
  }

  /**
   * The values of `id, event, payload, traceparent`, for a caller whose own statement stores the event. Whoever runs that statement then calls
   * `announce`.
   */
  row<P extends z.ZodType>(
    contract: EventContract<P>,
    payload: z.input<P>,
    { traceparent }: EventOrigin = {},
  ): [string, string, string, string | null] {
    const checked = contract.payload.parse(payload);
    return [uuidv7(), contract.event, JSON.stringify(checked), traceparent ?? null];
  }

  /** Wakes the outbox relay after a commit. */
  announce(): void {
    for (const listener of this.listeners) listener();
  }

  /** Calls `listener` after each commit in this process that added events. Returns a function that stops it. */
  onCommitted(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
