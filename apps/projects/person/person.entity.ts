import { Column, Entity, PrimaryColumn } from 'typeorm';

/** For people without a row, `AuthorService` finds a name elsewhere. */
@Entity('people')
export class PersonEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  name!: string;
}
