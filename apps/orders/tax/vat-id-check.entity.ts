import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { VatIdState } from '#libs/contracts';

/** What VIES, the European Commission's register, has answered about a well-formed VAT ID. */
@Entity('vat_id_checks')
export class VatIdCheckEntity {
  @PrimaryColumn('text', { name: 'vat_id' })
  vatId!: string;

  @Column('text')
  state!: Exclude<VatIdState, 'malformed'>;

  /** Null while the register has given no answer. */
  @Column('timestamptz', { name: 'checked_at', nullable: true })
  checkedAt!: Date | null;

  /** When the last round of asking the register began. A round ends with an answer, or after some days without one. */
  @Column('timestamptz', { name: 'first_asked_at' })
  firstAskedAt!: Date;
}
