import { Column, Entity, PrimaryColumn } from 'typeorm';
import { cents } from '../../money/cents.js';

/** A package with a new name or price gets a new plan at PayPal. */
@Entity('billing_plans')
export class PaypalPlanEntity {
  /** PayPal's id. */
  @PrimaryColumn('text', { name: 'plan' })
  planId!: string;

  /** PayPal's id of the product that the plan belongs to. */
  @Column('text', { name: 'product' })
  productId!: string;

  /** The client id of the app that created the plan and the product. */
  @Column('text')
  app!: string;

  @Column('text')
  environment!: string;

  @Column('text', { name: 'package_name' })
  packageName!: string;

  /** With added tax. */
  @Column('bigint', { name: 'price_cents', transformer: cents })
  priceCents!: number;
}
