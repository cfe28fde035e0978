import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, DomainError, type Project } from '#libs/contracts';
import type { ProjectEntity } from '../project/project.entity.js';
import { ProjectRepository } from '../project/project.repository.js';
import { TeamMemberRepository } from '../team-member/team-member.repository.js';

export interface Person {
  accountId: string;
  email: string;
}

export interface CustomerAccess {
  project: ProjectEntity;
  role: Project['role'];
  person: Person;
}

export interface StaffAccess {
  project: ProjectEntity;
  person: Person;
}

/**
 * Every call in which a person names a project begins here. Being an admin gives no access as a customer. Projects of others are NOT_FOUND, as if
 * they did not exist.
 */
@Injectable()
export class ProjectAccess {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly members: TeamMemberRepository,
  ) {}

  /**
   * Throws NOT_FOUND unless the actor owns the project or is a `member` of its owner's team. With a transaction, locks the project.
   */
  async forCustomer(actor: Actor, projectId: string, tx?: EntityManager): Promise<CustomerAccess> {
    const person = personOf(actor);
    const project = await this.getProject(projectId, tx);
    if (project.accountId === person.accountId) return { project, role: 'owner', person };
    const role = await this.members.roleOf(project.accountId, person.accountId, tx);
    // Colleagues for billing see no projects.
    if (role !== 'member') throw new DomainError('NOT_FOUND');
    return { project, role, person };
  }

  /** Throws FORBIDDEN unless the actor is an admin, and NOT_FOUND unless the project exists. Locks like `forCustomer`. */
  async forStaff(actor: Actor, projectId: string, tx?: EntityManager): Promise<StaffAccess> {
    if (actor.role !== 'admin') throw new DomainError('FORBIDDEN');
    return { project: await this.getProject(projectId, tx), person: personOf(actor) };
  }

  /** The owners of the projects that the actor sees as a customer. */
  async ownerIdsFor(actor: Actor): Promise<string[]> {
    const { accountId } = personOf(actor);
    return [accountId, ...(await this.members.ownerIdsOf(accountId, 'member'))];
  }

  private async getProject(projectId: string, tx?: EntityManager): Promise<ProjectEntity> {
    const project = await (tx ? this.projects.lock(tx, projectId) : this.projects.find(projectId));
    if (!project) throw new DomainError('NOT_FOUND');
    return project;
  }
}

export function personOf(actor: Actor): Person {
  if (!('accountId' in actor)) throw new DomainError('FORBIDDEN');
  return { accountId: actor.accountId, email: actor.email };
}
