import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { VatIdState } from '#libs/contracts';

/** What the register has answered about a well-formed VAT ID. */
@Entity('vat_id_checks')
export class VatIdCheckEntity {
  @PrimaryColumn('text', { name: 'vat_id' })
  vatId!: string;

  @Column('text')
  state!: Exclude<VatIdState, 'malformed'>;

  /** Null while the register has given no answer. */
  @Column('timestamptz', { name: 'checked_at', nullable: true })
  checkedAt!: Date | null;

  /** When the current round of asking began. A round lasts for some days at most. */
  @Column('timestamptz', { name: 'first_asked_at' })
  firstAskedAt!: Date;
}
