import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OrderStatus } from '#libs/contracts';
import { safeInteger } from '#libs/database';

@Entity('project_orders')
export class ProjectOrderEntity {
  @PrimaryColumn('uuid', { name: 'order_id' })
  orderId!: string;

  @Column('uuid', { name: 'project_id' })
  projectId!: string;

  @Column({ type: 'bigint', transformer: safeInteger })
  number!: number;

  @Column('timestamptz', { name: 'paid_at' })
  paidAt!: Date;

  /** When this service learned that the order was cancelled, refunded in full or disputed; otherwise null. */
  @Column('timestamptz', { name: 'cancelled_at', nullable: true })
  cancelledAt: Date | null = null;

  /** The status of the order: as read when it was added, then as set by an admin or by a change of the project's state. */
  @Column('text', { name: 'order_status' })
  orderStatus!: OrderStatus;

  /** The version of the order that was last read from the orders service. */
  @Column('integer', { name: 'order_version' })
  orderVersion!: number;

  /**
   * The version of the order when it was added or, if later, when an admin last set its status. Events about the status with a lower or equal version
   * are ignored.
   */
  @Column('integer', { name: 'status_version' })
  statusVersion = 0;
}
