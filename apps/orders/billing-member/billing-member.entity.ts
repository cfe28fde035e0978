import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody who is, or was, in a customer’s team. */
@Entity('billing_members')
export class BillingMemberEntity {
  /** The customer’s account. */
  @PrimaryColumn('uuid', { name: 'owner_id' })
  ownerId!: string;

  /** The colleague’s account. */
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** Whether they have the role `billing`. A row without it stays, so that an older event cannot give the role back. */
  @Column('boolean')
  active!: boolean;

  /** The newest version of the team that was stored in this row. */
  @Column('integer')
  version!: number;
}
