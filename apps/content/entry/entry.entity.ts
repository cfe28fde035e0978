import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The values of a record's fields, by field name. A field without a value is absent. */
export type EntryBody = Readonly<Record<string, string>>;

/** One record of one section. The database adds `position`, by which a section's records are ordered, oldest first. */
@Entity('entries')
export class Entry {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  section!: string;

  /** Among these, a unique index admits one entry per section. */
  @Column('boolean')
  singleton!: boolean;

  @Column({ type: 'bigint', insert: false, update: false })
  position!: string;

  @Column('jsonb')
  body!: EntryBody;

  /** 1 at creation, one more at each change. */
  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
