import { Injectable } from '@nestjs/common';
import { type Output, projectContract } from '#libs/contracts';
import { Handles, type RequestContext } from '#libs/transport';
import { ProjectAccess } from '../access/project-access.js';
import { OwnDataRepository } from './own-data.repository.js';

/** For the copy of a person's data: their own projects, and those that customers have invited them to see. */
@Injectable()
export class OwnDataService {
  constructor(
    private readonly access: ProjectAccess,
    private readonly data: OwnDataRepository,
  ) {}

  @Handles(projectContract.getOwnProjectData)
  async getCopy(
    _: object,
    { actor }: RequestContext,
  ): Promise<Output<typeof projectContract.getOwnProjectData>> {
    const projects = await this.data.listProjects(await this.access.ownerIdsFor(actor));
    const ids = projects.map(({ id }) => id);
    const [messages, files] = await Promise.all([this.data.listMessages(ids), this.data.listFiles(ids)]);
    return {
      projects: projects.map(({ id, createdAt, answers, ...project }) => ({
        _id: id,
        ...project,
        createdAt: createdAt.toISOString(),
        briefAnswers: answers ?? {},
        messages: messages
          .filter(({ projectId }) => projectId === id)
          .map(({ at, name, text }) => ({ at: at.toISOString(), name, text })),
        files: files
          .filter(({ projectId }) => projectId === id)
          .map((file) => ({ _id: file.id, name: file.name, createdAt: file.createdAt.toISOString() })),
      })),
    };
  }
}
