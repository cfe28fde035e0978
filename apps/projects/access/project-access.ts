import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, DomainError, type Project } from '#libs/contracts';
import type { ProjectEntity } from '../project/project.entity.js';
import { ProjectRepository } from '../project/project.repository.js';
import { TeamMemberRepository } from '../team-member/team-member.repository.js';

/** A signed-in person. */
export interface Person {
  accountId: string;
  email: string;
}

/** A project, and what the person is in it. */
export interface ClientAccess {
  project: ProjectEntity;
  role: Project['role'];
  person: Person;
}

export interface StaffAccess {
  project: ProjectEntity;
  person: Person;
}

/**
 * Who may see a project: its customer and the colleagues with the role `member` in their team from the customer's side, admins from the staff's
 * side. Every call in which a person names a project begins here. An admin who is neither the customer nor such a colleague does not see the
 * project from the customer's side. What is somebody else's is NOT_FOUND, as if it did not exist.
 */
@Injectable()
export class ProjectAccess {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly members: TeamMemberRepository,
  ) {}

  /** Throws NOT_FOUND. In a transaction, locks the project until the transaction ends. */
  async forCustomer(actor: Actor, projectId: string, tx?: EntityManager): Promise<ClientAccess> {
    const person = personOf(actor);
    const project = await this.read(projectId, tx);
    if (project.accountId === person.accountId) return { project, role: 'owner', person };
    const role = await this.members.roleOf(project.accountId, person.accountId, tx);
    // Colleagues for billing see no projects.
    if (role !== 'member') throw new DomainError('NOT_FOUND');
    return { project, role, person };
  }

  /**
   * Throws FORBIDDEN for everybody except admins, whether the project exists or not; for admins, NOT_FOUND if it does not exist. In a transaction,
   * locks the project until the transaction ends.
   */
  async forStaff(actor: Actor, projectId: string, tx?: EntityManager): Promise<StaffAccess> {
    if (actor.role !== 'admin') throw new DomainError('FORBIDDEN');
    return { project: await this.read(projectId, tx), person: personOf(actor) };
  }

  /** The accounts whose projects somebody sees from the customer's side: their own, and the owners of the teams that they are members of. */
  async ownersFor(actor: Actor): Promise<string[]> {
    const { accountId } = personOf(actor);
    return [accountId, ...(await this.members.ownersOf(accountId, 'member'))];
  }

  private async read(projectId: string, tx?: EntityManager): Promise<ProjectEntity> {
    const project = await (tx ? this.projects.lock(tx, projectId) : this.projects.find(projectId));
    if (!project) throw new DomainError('NOT_FOUND');
    return project;
  }
}

/** Throws FORBIDDEN unless the actor is a signed-in person: only people have projects. */
export function personOf(actor: Actor): Person {
  if (!('accountId' in actor)) throw new DomainError('FORBIDDEN');
  return { accountId: actor.accountId, email: actor.email };
}
