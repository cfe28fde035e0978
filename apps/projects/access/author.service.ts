import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { nameFromEmail } from '../person/person-name.js';
import { PersonRepository } from '../person/person.repository.js';
import { TeamMemberRepository } from '../team-member/team-member.repository.js';
import type { ClientAccess, StaffAccess } from './project-access.js';

/** Who did something in a project, as threads name them. */
export interface ProjectAuthor {
  side: 'customer' | 'staff';
  accountId: string;
  name: string;
}

/**
 * Finds the name of a person for threads: their name in the table `people`, else, for customers, the name in the order or the invitation, else a
 * name made from their address.
 */
@Injectable()
export class AuthorService {
  constructor(
    private readonly people: PersonRepository,
    private readonly members: TeamMemberRepository,
  ) {}

  async ofCustomer({ project, role, person }: ClientAccess, tx?: EntityManager): Promise<ProjectAuthor> {
    const { accountId } = person;
    const recordedName = async () =>
      role === 'owner' ? project.customerName : await this.members.nameOf(project.accountId, accountId, tx);
    const name = (await this.people.nameOf(accountId, tx)) ?? (await recordedName()) ?? '';
    return { side: 'customer', accountId, name: name || nameFromEmail(person.email) };
  }

  async ofStaff({ person }: Pick<StaffAccess, 'person'>, tx?: EntityManager): Promise<ProjectAuthor> {
    const { accountId, email } = person;
    const name = (await this.people.nameOf(accountId, tx)) ?? nameFromEmail(email);
    return { side: 'staff', accountId, name };
  }
}
