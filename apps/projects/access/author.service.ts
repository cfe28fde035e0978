import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { nameFromEmail } from '../person/person-name.js';
import { PersonRepository } from '../person/person.repository.js';
import type { ClientAccess, StaffAccess } from './project-access.js';

/** Who did something in a project, as threads name them. */
export interface ProjectAuthor {
  side: 'customer' | 'staff';
  accountId: string;
  name: string;
}

/**
 * Finds the name of a person for threads: the one that they chose, else, for customers, the one in an order or invitation
 * (`PersonRepository.customerNameOf`), else a name made from their address.
 */
@Injectable()
export class AuthorService {
  constructor(private readonly people: PersonRepository) {}

  /** The same name in every project, because the screen of the team shows it as the person’s name. */
  async ofCustomer({ person }: Pick<ClientAccess, 'person'>, tx?: EntityManager): Promise<ProjectAuthor> {
    const { accountId, email } = person;
    const name = (await this.people.customerNameOf(accountId, tx)) || nameFromEmail(email);
    return { side: 'customer', accountId, name };
  }

  async ofStaff({ person }: Pick<StaffAccess, 'person'>, tx?: EntityManager): Promise<ProjectAuthor> {
    const { accountId, email } = person;
    const name = (await this.people.nameOf(accountId, tx)) ?? nameFromEmail(email);
    return { side: 'staff', accountId, name };
  }
}
