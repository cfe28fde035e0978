import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { nameFromEmail } from '../person/person-name.js';
import { PersonRepository } from '../person/person.repository.js';
import type { CustomerAccess, StaffAccess } from './project-access.js';

export interface ProjectAuthor {
  side: 'customer' | 'staff';
  accountId: string;
  name: string;
}

/**
 * Finds the name that threads show: the one that the person chose, else, for customers, the one in an order or invitation, else one made from the
 * address.
 */
@Injectable()
export class AuthorService {
  constructor(private readonly people: PersonRepository) {}

  /** The team screen shows this name, too, so it must not depend on the project. */
  async ofCustomer({ person }: Pick<CustomerAccess, 'person'>, tx?: EntityManager): Promise<ProjectAuthor> {
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
