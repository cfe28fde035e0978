import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Image } from '#libs/contracts';

/** An uploaded picture, but for its bytes. */
@Entity('images')
export class ImageEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** SHA-256 of what was uploaded. */
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

  /** Account id. */
  @Column('text', { name: 'uploaded_by', nullable: true })
  uploadedBy!: string | null;

  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
