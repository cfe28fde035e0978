import { Column, Entity } from 'typeorm';
import { VersionedRecord } from '#libs/database';

/** The values of a record's fields, by field name. A field without a value is absent. */
export type EntryBody = Readonly<Record<string, string>>;

/** One record of one section. The database adds `position`, by which a section's records are ordered, oldest first. */
@Entity('entries')
export class Entry extends VersionedRecord {
  @Column('text')
  section!: string;

  /** Among these, a unique index admits one entry per section. */
  @Column('boolean')
  singleton!: boolean;

  @Column({ type: 'bigint', insert: false, update: false })
  position!: string;

  @Column('jsonb')
  body!: EntryBody;
}
