import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A present or former member of a customer’s team. */
@Entity('billing_members')
export class BillingMemberEntity {
  /** The customer’s account. */
  @PrimaryColumn('uuid', { name: 'owner_id' })
  ownerId!: string;

  /** The colleague’s account. */
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** Whether they have the role `billing`. Without it, the row stays, so that an older event cannot give the role back. */
  @Column('boolean')
  active!: boolean;

  /** The newest version of the team that was stored here. */
  @Column('integer')
  version!: number;
}
