import { Column, PrimaryColumn } from 'typeorm';

export abstract class VersionedRecord {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  /** 1 at creation, one more at each change. */
  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
