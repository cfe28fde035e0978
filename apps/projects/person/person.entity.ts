import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What somebody is called in threads. */
@Entity('people')
export class PersonEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  name!: string;
}
