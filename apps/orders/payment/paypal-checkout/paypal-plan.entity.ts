import { Column, Entity, PrimaryColumn } from 'typeorm';
import { cents } from '../../money/cents.js';

/** PayPal's billing plan for a package at a price. Made once; a new price gets a new plan. */
@Entity('billing_plans')
export class PaypalPlanEntity {
  /** PayPal's id of the plan. */
  @PrimaryColumn('text')
  plan!: string;

  /** PayPal's id of the product that the plan belongs to. */
  @Column('text')
  product!: string;

  /** The client id of the app that created the plan and the product. */
  @Column('text')
  app!: string;

  @Column('text')
  environment!: string;

  @Column('text', { name: 'package_name' })
  packageName!: string;

  /** With added tax, as PayPal charges it. */
  @Column('bigint', { name: 'price_cents', transformer: cents })
  priceCents!: number;
}
