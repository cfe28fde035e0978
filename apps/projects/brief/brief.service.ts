import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type Brief,
  type BriefAnswers,
  briefContract,
  type BriefQuestion,
  DomainError,
  type FieldError,
  type HandlerInputs,
} from '#libs/contracts';
import { Inbox } from '#libs/database';
import { Clock, addSeconds } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { AuthorService, type ProjectAuthor } from '../access/author.service.js';
import { type CustomerAccess, ProjectAccess } from '../access/project-access.js';
import { FileRepository } from '../file/file.repository.js';
import { LifecycleService } from '../lifecycle/lifecycle.service.js';
import type { ProjectEntity } from '../project/project.entity.js';
import { ProjectTemplateRepository } from '../template/project-template.repository.js';
import { completionErrors, countAnswered, draftErrors, fileIdsIn } from './brief-answers.js';
import type { BriefEntity } from './brief.entity.js';
import { BriefRepository } from './brief.repository.js';

type Input = HandlerInputs<typeof briefContract>;

/** For how long a file that was removed from the answers can be attached again. */
const removedFileSeconds = 24 * 60 * 60;

interface OpenBrief {
  access: CustomerAccess;
  brief: BriefEntity;
  questions: BriefQuestion[];
  /** The stored answers, overwritten by the given ones. */
  answers: BriefAnswers;
  author: ProjectAuthor;
}

@Injectable()
export class BriefService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly access: ProjectAccess,
    private readonly authors: AuthorService,
    private readonly briefs: BriefRepository,
    private readonly templates: ProjectTemplateRepository,
    private readonly files: FileRepository,
    private readonly lifecycle: LifecycleService,
    private readonly clock: Clock,
  ) {}

  @Handles(briefContract.getBrief)
  async getForCustomer({ id }: Input['getBrief'], { actor }: RequestContext): Promise<Brief> {
    const { project } = await this.access.forCustomer(actor, id);
    return this.view(this.dataSource.manager, project, await this.get(project));
  }

  @Handles(briefContract.getStaffBrief)
  async getForStaff({ id }: Input['getStaffBrief'], { actor }: RequestContext): Promise<Brief> {
    const { project } = await this.access.forStaff(actor, id);
    return this.view(this.dataSource.manager, project, await this.get(project));
  }

  /** Throws INVALID_TRANSITION once the brief is complete or the project closed. */
  @Handles(briefContract.saveBrief)
  save(input: Input['saveBrief'], context: RequestContext): Promise<Brief> {
    return this.inbox.once(context, async (tx) => {
      const open = await this.getOpenBrief(tx, input, context);
      await this.store(tx, open, {});
      return this.view(tx, open.access.project, open.brief);
    });
  }

  /** Throws what `save` throws. A brief can still be completed if staff have begun without it. */
  @Handles(briefContract.completeBrief)
  complete(input: Input['completeBrief'], context: RequestContext): Promise<Brief> {
    return this.inbox.once(context, async (tx) => {
      const open = await this.getOpenBrief(tx, input, context);
      const { access, author, questions, answers } = open;
      throwIfInvalid(completionErrors(questions, answers));
      const completed = { completedBy: author.name, completedByAccount: author.accountId };
      await this.store(tx, open, { completedAt: this.clock.now(), ...completed });
      await this.applyCompletion(tx, access.project, author, context);
      return this.view(tx, access.project, open.brief);
    });
  }

  private async applyCompletion(
    tx: EntityManager,
    project: ProjectEntity,
    author: ProjectAuthor,
    context: RequestContext,
  ): Promise<void> {
    const entry = {
      by: author,
      what: 'brief_completed',
      text: `${author.name} answered the questions.`,
    } as const;
    if (project.state === 'waiting_for_brief') {
      const change = { to: 'in_progress', cause: 'customer', hasNewDueDate: true, ...entry } as const;
      await this.lifecycle.change(tx, project, change, context);
      return;
    }
    await this.lifecycle.appendEventEntry(tx, project, entry);
    // The project was put on hold while it waited for the brief. When it resumes, it continues with the work.
    if (project.stateBefore === 'waiting_for_brief') await this.lifecycle.rememberInProgress(tx, project);
  }

  private async getOpenBrief(
    tx: EntityManager,
    { id, ifVersion, answers: given }: Input['saveBrief'],
    { actor }: RequestContext,
  ): Promise<OpenBrief> {
    const access = await this.access.forCustomer(actor, id, tx);
    const { project } = access;
    const brief = await this.get(project, tx);
    const current = async () => ({ current: await this.view(tx, project, brief) });
    if (ifVersion !== undefined && ifVersion !== brief.version)
      throw new DomainError('VERSION_MISMATCH', await current());
    if (brief.completedAt !== null || project.state === 'closed')
      throw new DomainError('INVALID_TRANSITION', await current());
    const questions = await this.questionsOf(brief, tx);
    throwIfInvalid(draftErrors(questions, given));
    const answers = { ...brief.answers, ...given };
    return { access, brief, questions, answers, author: await this.authors.ofCustomer(access, tx) };
  }

  private async store(
    tx: EntityManager,
    { access, brief, questions, answers, author }: OpenBrief,
    completion: Partial<BriefEntity>,
  ): Promise<void> {
    const { id: projectId } = access.project;
    const now = this.clock.now();
    await this.briefs.update(tx, brief, {
      ...{ answers, answered: countAnswered(questions, answers) },
      ...{ savedAt: now, savedBy: author.name, savedByAccount: author.accountId },
      ...completion,
    });
    const fileIds = fileIdsIn(questions, answers);
    try {
      await this.files.attachExactly(
        tx,
        fileIds,
        { projectId, accountId: author.accountId, side: 'customer', to: 'brief', attachedToId: projectId },
        addSeconds(now, removedFileSeconds),
      );
    } catch (error) {
      throw toQuestionErrors(error, questions);
    }
  }

  private async get(project: ProjectEntity, tx?: EntityManager): Promise<BriefEntity> {
    const brief = await this.briefs.find(project.id, tx);
    if (!brief) throw new DomainError('NOT_FOUND');
    return brief;
  }

  private async questionsOf(brief: BriefEntity, manager: EntityManager): Promise<BriefQuestion[]> {
    const template = await this.templates.find(brief.packageId, brief.templateVersion, manager);
    return template!.questions;
  }

  private async view(manager: EntityManager, project: ProjectEntity, brief: BriefEntity): Promise<Brief> {
    const template = await this.templates.find(brief.packageId, brief.templateVersion, manager);
    const files = await this.files.viewsOf(manager, [project.id]);
    return {
      projectId: project.id,
      title: project.title,
      introduction: template!.introduction,
      questions: template!.questions,
      answers: brief.answers,
      files: files.get(project.id) ?? [],
      savedAt: brief.savedAt?.toISOString() ?? null,
      savedBy: brief.savedBy,
      completedAt: brief.completedAt?.toISOString() ?? null,
      completedBy: brief.completedBy,
      version: brief.version,
    };
  }
}

function throwIfInvalid(errors: FieldError[]): void {
  if (errors.length > 0) throw DomainError.invalid(errors);
}

/** `attachExactly` does not say which file it refuses, so all file questions get its error. */
function toQuestionErrors(error: unknown, questions: readonly BriefQuestion[]): unknown {
  if (!(error instanceof DomainError) || error.code !== 'INVALID_INPUT') return error;
  const message = error.details.fields?.[0]?.message ?? 'must be files that you have uploaded';
  const fileQuestions = questions.filter(({ kind }) => kind === 'file');
  return DomainError.invalid(fileQuestions.map(({ id }) => ({ field: `answers.${id}`, message })));
}
