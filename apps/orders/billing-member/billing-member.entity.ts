import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody who has, or had, the role `billing` in a customer’s team. */
@Entity('billing_members')
export class BillingMemberEntity {
  /** The customer’s account. */
  @PrimaryColumn('uuid', { name: 'owner_id' })
  ownerId!: string;

  /** The colleague’s account. */
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** False after the role was changed or taken away. The row stays, so that an older event cannot give the role back. */
  @Column('boolean')
  active!: boolean;

  /** The version of the team after the change that this row stores. */
  @Column('integer')
  version!: number;
}
