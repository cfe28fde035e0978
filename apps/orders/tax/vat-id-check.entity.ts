import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { VatIdState } from '#libs/contracts';

/** What the European Commission's register has answered about a well-formed VAT id. */
@Entity('vat_id_checks')
export class VatIdCheckEntity {
  @PrimaryColumn('text', { name: 'vat_id' })
  vatId!: string;

  @Column('text')
  state!: Exclude<VatIdState, 'malformed'>;

  /** When the register gave its last answer; null while there is none. */
  @Column('timestamptz', { name: 'checked_at', nullable: true })
  checkedAt!: Date | null;

  /** When the present round of asking began. A round lasts for some days at most; a later request begins another one. */
  @Column('timestamptz', { name: 'first_asked_at' })
  firstAskedAt!: Date;
}
