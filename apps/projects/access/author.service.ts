import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { nameFromEmail } from '../person/person-name.js';
import { PersonRepository } from '../person/person.repository.js';
import { TeamMemberRepository } from '../team/team-member.repository.js';
import type { ClientAccess, StaffAccess } from './project-access.js';

/** Who did something in a project, as threads name them. */
export interface ProjectAuthor {
  side: 'customer' | 'staff';
  accountId: string;
  name: string;
}

/** Names people for threads: as they have chosen; otherwise as the order or the invitation named them, and staff by their address. */
@Injectable()
export class AuthorService {
  constructor(
    private readonly people: PersonRepository,
    private readonly members: TeamMemberRepository,
  ) {}

  async ofCustomer({ project, role, person }: ClientAccess, tx?: EntityManager): Promise<ProjectAuthor> {
    const { accountId } = person;
    const called = async () =>
      role === 'owner' ? project.customerName : await this.members.nameOf(project.accountId, accountId, tx);
    const name = (await this.people.nameOf(accountId, tx)) ?? (await called()) ?? '';
    return { side: 'customer', accountId, name: name || nameFromEmail(person.email) };
  }

  async ofStaff({ person }: Pick<StaffAccess, 'person'>, tx?: EntityManager): Promise<ProjectAuthor> {
    const { accountId, email } = person;
    const name = (await this.people.nameOf(accountId, tx)) ?? nameFromEmail(email);
    return { side: 'staff', accountId, name };
  }
}
