import { Column, Entity } from 'typeorm';
import type { Image } from '#libs/contracts';
import { VersionedRecord } from '#libs/database';

@Entity('images')
export class ImageEntity extends VersionedRecord {
  /** SHA-256 of the uploaded file. */
  @Column('text')
  digest!: string;

  @Column('text')
  name!: string;

  @Column('text')
  alt!: string;

  /** In pixels, of the full size. */
  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  /** The full size first. */
  @Column('jsonb')
  files!: Image['files'];

  /** An account's id; null for our own processes. */
  @Column('text', { name: 'uploaded_by', nullable: true })
  uploadedBy!: string | null;
}
