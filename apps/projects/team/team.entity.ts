import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Lock the row before each change of the members and each new invitation. */
@Entity('teams')
export class TeamEntity {
  /** The customer's account. */
  @PrimaryColumn('uuid', { name: 'owner_id' })
  ownerId!: string;

  /** Grows each time that the team is locked for a change. */
  @Column('integer')
  version = 1;
}
