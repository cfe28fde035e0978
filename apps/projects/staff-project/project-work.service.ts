import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DomainError,
  type HandlerInputs,
  projectContract,
  projectLimits,
  type StaffProject,
} from '#libs/contracts';
import { AuditTrail, Inbox, uuidv7 } from '#libs/database';
import { Clock, utcDayInWords } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { AuthorService, type ProjectAuthor } from '../access/author.service.js';
import { ProjectAccess } from '../access/project-access.js';
import { DeliverableRepository } from '../deliverable/deliverable.repository.js';
import { EntryRepository } from '../entry/entry.repository.js';
import { UnreadCheckRepository, unreadMs } from '../entry/unread-check.repository.js';
import { LifecycleService } from '../lifecycle/lifecycle.service.js';
import { canBeHeld, stateAfterResuming, sentenceOf } from '../lifecycle/project-state.js';
import { StaffProjectView } from '../project-view/staff-project.view.js';
import { projectName } from '../project/project-name.js';
import type { ProjectAssigneeEntity } from '../project/project-assignee.entity.js';
import { ProjectAssigneeRepository } from '../project/project-assignee.repository.js';
import type { ChecklistStep, ProjectEntity } from '../project/project.entity.js';
import { ProjectRepository } from '../project/project.repository.js';
import { StaffService } from '../staff/staff.service.js';

type Input = HandlerInputs<typeof projectContract>;
type Assignee = Pick<ProjectAssigneeEntity, 'accountId' | 'email'>;

interface Outcome {
  record: StaffProject;
  modified: boolean;
}

interface ChangeContext {
  tx: EntityManager;
  project: ProjectEntity;
  author: ProjectAuthor;
  /** Throws INVALID_TRANSITION with the current project. */
  refuse: () => Promise<never>;
}

/** For the audit log; undefined if nothing changed. */
type ChangedValues = { before: Record<string, unknown>; after: Record<string, unknown> } | undefined;

@Injectable()
export class ProjectWorkService {
  constructor(
    private readonly inbox: Inbox,
    private readonly access: ProjectAccess,
    private readonly authors: AuthorService,
    private readonly projects: ProjectRepository,
    private readonly assignees: ProjectAssigneeRepository,
    private readonly staff: StaffService,
    private readonly entries: EntryRepository,
    private readonly checks: UnreadCheckRepository,
    private readonly lifecycle: LifecycleService,
    private readonly deliverables: DeliverableRepository,
    private readonly view: StaffProjectView,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Throws INVALID_INPUT for a new assignee who is not staff. */
  @Handles(projectContract.updateProject)
  async update({ assignees, ...input }: Input['updateProject'], context: RequestContext): Promise<Outcome> {
    // New assignees are looked up before the transaction, which must not wait for another service. Those who are assigned already may stay, even if
    // they are no longer staff.
    const { project } = await this.access.forStaff(context.actor, input.id);
    const assigned = (await this.assignees.listByProject([project.id])).get(project.id) ?? [];
    const people = assignees && (await this.getAssignees(assignees, assigned));
    return this.changeOnce(input, context, (scope) => this.applyUpdate(scope, input, people));
  }

  @Handles(projectContract.setProjectState)
  setState({ state, reason: givenReason, ...target }: Input['setProjectState'], context: RequestContext) {
    return this.changeOnce(target, context, async ({ tx, project, author, refuse }) => {
      const reason = givenReason ?? null;
      const before = { state: project.state, reason: project.reason };
      const to = state === 'in_progress' ? stateAfterResuming(project) : state;
      if (to === undefined || (to === project.state && reason === project.reason)) return undefined;
      if (to === 'on_hold' && !canBeHeld(project.state)) return refuse();
      // Work that goes on is no longer offered for acceptance.
      if (to === 'in_progress') await this.deliverables.withdraw(tx, project.id);
      const text = reason === null ? sentenceOf(to) : `${sentenceOf(to)} ${reason}`;
      const hasNewDueDate = to === 'in_progress' && (await this.lifecycle.getsNewDueDate(tx, project));
      await this.lifecycle.change(
        tx,
        project,
        { to, cause: 'staff', by: author, what: 'state_changed', text, reason, hasNewDueDate },
        context,
      );
      return { before, after: { state: project.state, reason: project.reason } };
    });
  }

  /** Throws INVALID_INPUT for an unknown step id, or one that is listed twice. */
  @Handles(projectContract.updateChecklist)
  updateChecklist({ items, ...target }: Input['updateChecklist'], context: RequestContext): Promise<Outcome> {
    return this.changeOnce(target, context, async ({ tx, project, author }) => {
      const now = this.clock.now();
      const before = project.checklist;
      const known = [...before, ...project.removedSteps];
      const checklist = items.map((item, index) => stepOf(item, index, known, author, now));
      checklist.forEach(({ id }, index) => {
        if (checklist.findIndex((step) => step.id === id) < index)
          throw DomainError.invalid([{ field: `items.${index}.id`, message: 'is listed twice' }]);
      });
      if (isDeepStrictEqual(checklist, before)) return undefined;
      const removedSteps = known
        .filter(({ id }) => !checklist.some((step) => step.id === id))
        .slice(0, projectLimits.checklist);
      await this.projects.update(
        tx,
        project,
        { checklist, removedSteps },
        { isChangeVisibleToCustomer: false, now },
      );
      for (const { text } of newlyDone(known, checklist))
        await this.recordStaffEvent({ tx, project, author }, `ticked ‘${text}’.`);
      return { before: { checklist: auditedSteps(before) }, after: { checklist: auditedSteps(checklist) } };
    });
  }

  private async applyUpdate(
    scope: ChangeContext,
    { title, dueOn, labels }: Pick<Input['updateProject'], 'title' | 'dueOn' | 'labels'>,
    people: readonly Assignee[] | undefined,
  ): Promise<ChangedValues> {
    const { tx, project, author } = scope;
    const now = this.clock.now();
    const assigned = (await this.assignees.listByProject([project.id], tx)).get(project.id) ?? [];
    const before = { ...auditedFields(project), assignees: emailsOf(assigned) };
    const input = { title, dueOn, labels: labels && [...new Set(labels)] };
    const fields = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const after = { ...before, ...fields, ...(people && { assignees: emailsOf(people) }) };
    if (isDeepStrictEqual(after, before)) return undefined;
    if (people) await this.assign(tx, project, people, assigned);
    const isChangeVisibleToCustomer = after.title !== before.title || after.dueOn !== before.dueOn;
    await this.projects.update(tx, project, fields, { isChangeVisibleToCustomer, now });
    if (after.dueOn !== before.dueOn) {
      const text =
        after.dueOn === null
          ? 'The due date was removed.'
          : `The work is due on ${utcDayInWords(after.dueOn)}.`;
      await this.entries.append(tx, project, {
        kind: 'event',
        what: 'due_date_set',
        by: author,
        at: now,
        text,
      });
    }
    if (after.title !== before.title)
      await this.recordStaffEvent(scope, `changed the title to ‘${after.title}’.`);
    if (!isDeepStrictEqual(after.labels, before.labels)) {
      const list = after.labels.join(', ');
      const words = list === '' ? 'removed all labels.' : `changed the labels to ${list}.`;
      await this.recordStaffEvent(scope, words);
    }
    if (!isDeepStrictEqual(after.assignees, before.assignees)) {
      const names = await this.staff.namesToStore(people ?? [], tx);
      const words = names.length > 0 ? `assigned ${names.join(', ')}.` : 'removed all assignees.';
      await this.recordStaffEvent(scope, words);
    }
    return { before, after };
  }

  /**
   * A mail about a message is sent once it has been unread for `unreadMs`. New assignees get no mails about messages older than that, but do about
   * newer ones, because perhaps nobody has got a mail about those yet.
   */
  private async assign(
    tx: EntityManager,
    { id: projectId }: ProjectEntity,
    people: readonly Assignee[],
    before: readonly Assignee[],
  ): Promise<void> {
    await this.assignees.replace(tx, projectId, people);
    const until = new Date(this.clock.now().getTime() - unreadMs);
    for (const { accountId } of people)
      if (!before.some((one) => one.accountId === accountId))
        await this.checks.markEarlierAsMailed(tx, { accountId, side: 'staff' }, { projectId }, until);
  }

  private async getAssignees(ids: readonly string[], assigned: readonly Assignee[]): Promise<Assignee[]> {
    const wanted = [...new Set(ids)];
    const kept = assigned.filter(({ accountId }) => wanted.includes(accountId));
    const added = wanted.filter((id) => !kept.some(({ accountId }) => accountId === id));
    return [...kept, ...(await this.staff.requireStaff(added))];
  }

  private async recordStaffEvent(
    { tx, project, author }: Omit<ChangeContext, 'refuse'>,
    words: string,
  ): Promise<void> {
    const text = `${author.name} ${words}`;
    await this.entries.append(tx, project, { kind: 'staff_event', by: author, at: this.clock.now(), text });
  }

  private changeOnce(
    { id, ifVersion }: { id: string; ifVersion?: number | undefined },
    context: RequestContext,
    run: (scope: ChangeContext) => Promise<ChangedValues>,
  ): Promise<Outcome> {
    return this.inbox.once(context, async (tx) => {
      const access = await this.access.forStaff(context.actor, id, tx);
      const { project, person } = access;
      const view = () => this.view.toView(project, person, tx);
      if (ifVersion !== undefined && ifVersion !== project.version)
        throw new DomainError('VERSION_MISMATCH', { current: await view() });
      const refuse = async () => {
        throw new DomainError('INVALID_TRANSITION', { current: await view() });
      };
      const author = await this.authors.ofStaff(access, tx);
      const audited = await run({ tx, project, author, refuse });
      if (audited)
        await this.audit.record(tx, context.actor, {
          ...{ section: 'project', recordId: project.id, name: projectName(project), change: 'updated' },
          ...audited,
        });
      return { record: await view(), modified: audited !== undefined };
    });
  }
}

const emailsOf = (people: readonly Assignee[]) => people.map(({ email }) => email).sort();
const auditedFields = ({ title, dueOn, labels }: ProjectEntity) => ({ title, dueOn, labels });
const auditedSteps = (steps: readonly ChecklistStep[]) =>
  steps.map(({ text, done }) => `${done ? '[x]' : '[ ]'} ${text}`);

/** A step that stays ticked, or that was removed and comes back ticked, keeps who ticked it, and when. */
function stepOf(
  { id, text, done }: Input['updateChecklist']['items'][number],
  index: number,
  known: readonly ChecklistStep[],
  { name, accountId }: ProjectAuthor,
  now: Date,
): ChecklistStep {
  const before = known.find((step) => step.id === id);
  if (id !== undefined && !before)
    throw DomainError.invalid([{ field: `items.${index}.id`, message: 'is not a step of this project' }]);
  const ticked = before?.done ?? { by: name, accountId, at: now.toISOString() };
  return { id: before?.id ?? uuidv7(), text, done: done ? ticked : null };
}

const newlyDone = (before: readonly ChecklistStep[], after: readonly ChecklistStep[]) =>
  after.filter(({ id, done }) => done && !before.find((step) => step.id === id)?.done);
