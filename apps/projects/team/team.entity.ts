import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer's team. Its row is locked for each change of its members and for each new invitation. */
@Entity('teams')
export class TeamEntity {
  /** The customer's account. */
  @PrimaryColumn('uuid', { name: 'owner_id' })
  ownerId!: string;

  /** Grows each time that the team is locked for a change. */
  @Column('integer')
  version = 1;
}
