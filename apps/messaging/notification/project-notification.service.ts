import { Injectable } from '@nestjs/common';
import {
  type EventPayload,
  messagesUnread,
  type Output,
  projectContract,
  projectOpened,
  projectReminderDue,
  type ProjectState,
  projectStateChanged,
  type ProjectStep,
} from '#libs/contracts';
import { type EventContext, OnEvent } from '#libs/transport';
import { BrandService } from '../site/brand.service.js';
import { adminLimits, type NotificationMail, NotificationQueue, toAdmin } from './notification-queue.js';
import type { ProjectEmail, ProjectParams } from './project-emails.js';
import { ServiceClients, undefinedIfNotFound } from './service-clients.js';

type ProjectForMail = Output<typeof projectContract.getForMail>;
type StateChange = EventPayload<typeof projectStateChanged>;
type StaffMail = 'adminProjectBrief' | 'adminProjectChanges' | 'adminProjectAccepted';

/** Sends nothing if the news is no longer true. */
@Injectable()
export class ProjectNotificationService {
  constructor(
    private readonly notifications: NotificationQueue,
    private readonly brand: BrandService,
    private readonly services: ServiceClients,
  ) {}

  @OnEvent(projectOpened)
  async opened(
    { projectId, step }: EventPayload<typeof projectOpened>,
    { eventId }: EventContext,
  ): Promise<void> {
    const project = await undefinedIfNotFound(this.services.getProject(projectId));
    const isStillTrue =
      project && !isOver(project.state) && (step !== 'answer_brief' || isAwaitingBrief(project));
    await this.notifications.add(
      eventId,
      isStillTrue ? await this.toCustomerOrColleague('projectOpened', project, step) : [],
    );
  }

  @OnEvent(projectReminderDue)
  async reminderDue(
    { projectId, step }: EventPayload<typeof projectReminderDue>,
    { eventId }: EventContext,
  ): Promise<void> {
    const project = await undefinedIfNotFound(this.services.getProject(projectId));
    const isStillTrue =
      project && (step === 'answer_brief' ? isAwaitingBrief(project) : project.state === 'delivered');
    await this.notifications.add(
      eventId,
      isStillTrue ? await this.toCustomerAndColleagues('projectReminder', project, step) : [],
    );
  }

  /** Changes that follow from an order or a monthly plan are left to the mails about orders and plans. */
  @OnEvent(projectStateChanged)
  async stateChanged(change: StateChange, { eventId }: EventContext): Promise<void> {
    const project =
      change.by === 'order'
        ? undefined
        : await undefinedIfNotFound(this.services.getProject(change.projectId));
    if (project?.state !== change.to) return this.notifications.add(eventId, []);
    const staffMail = staffMailAbout(change);
    const customerMail = change.by === 'staff' ? customerMailAbout(change, project) : undefined;
    await this.notifications.add(eventId, [
      ...(customerMail ? await this.toCustomerAndColleagues(customerMail, project) : []),
      ...(staffMail ? await this.toStaff(staffMail, project) : []),
    ]);
  }

  /** The messages are fetched when the mail is sent, so the queue stores neither them nor the address for replies. */
  @OnEvent(messagesUnread)
  async unread(
    { accountId, ...batch }: EventPayload<typeof messagesUnread>,
    { eventId }: EventContext,
  ): Promise<void> {
    const about = batch.projectId;
    if (batch.side === 'customer') {
      const to =
        accountId !== null && !(await this.brand.isTemplateOff('projectMessages'))
          ? await this.services.confirmedEmail(accountId)
          : null;
      const mail = { template: 'projectMessages', params: { ...batch, accountId }, about } as const;
      return this.notifications.add(eventId, to ? [{ ...mail, to }] : []);
    }
    const readers = await this.staffReaders(accountId);
    const mails = readers.map((reader) =>
      toAdmin(
        { template: 'adminProjectMessages', params: { ...batch, accountId: reader.accountId }, about },
        reader.email,
        adminLimits,
      ),
    );
    await this.notifications.add(eventId, mails);
  }

  /** The admin with this account; all admins if `accountId` is null or not an admin’s. Leaves out those who do not want these mails. */
  private async staffReaders(accountId: string | null): Promise<{ accountId: string; email: string }[]> {
    const interestedAdmins = new Set(await this.services.adminEmails('projectMessages'));
    const admins = await this.services.adminAccounts();
    const reader = admins.find((admin) => admin.accountId === accountId);
    return (reader ? [reader] : admins).filter(({ email }) => interestedAdmins.has(email));
  }

  /** To the customer and the colleagues who may see the project. */
  private async toCustomerAndColleagues(
    template: ProjectEmail,
    project: ProjectForMail,
    step: ProjectStep | null = null,
  ): Promise<NotificationMail[]> {
    const people = [project.accountId, ...project.members];
    const mails = await Promise.all(
      people.map((accountId) => this.toCustomerOrColleague(template, project, step, accountId)),
    );
    return mails.flat();
  }

  /** To the customer, or the colleague with this account; only to a confirmed address. */
  private async toCustomerOrColleague(
    template: ProjectEmail,
    project: ProjectForMail,
    step: ProjectStep | null = null,
    accountId = project.accountId,
  ): Promise<NotificationMail[]> {
    if (await this.brand.isTemplateOff(template)) return [];
    const to = await this.services.confirmedEmail(accountId);
    return to ? [{ template, params: paramsOf(project, step), to, about: project._id }] : [];
  }

  /** To the assigned admins; if there are none, to all admins. Leaves out those who do not want these mails. */
  private async toStaff(template: StaffMail, project: ProjectForMail): Promise<NotificationMail[]> {
    const interestedAdmins = await this.services.adminEmails('projects');
    const { assignees, assigneeAccountIds } = project;
    // An admin’s address may have changed since the assignment.
    const assigned = (await this.services.adminAccounts())
      .filter(({ accountId, email }) => assigneeAccountIds?.includes(accountId) ?? assignees.includes(email))
      .map(({ email }) => email);
    const recipients =
      assigned.length > 0 ? interestedAdmins.filter((email) => assigned.includes(email)) : interestedAdmins;
    const mail = { template, params: paramsOf(project, null), about: project._id };
    return recipients.map((to) => toAdmin(mail, to, adminLimits));
  }
}

const isAwaitingBrief = ({ state }: ProjectForMail) => state === 'waiting_for_brief';
const isOver = (state: ProjectState) => state === 'accepted' || state === 'closed';

/** A project that is put on hold or closed without a reason is not worth a mail. After a hold, nothing new was delivered. */
function customerMailAbout({ from, to }: StateChange, { reason }: ProjectForMail): ProjectEmail | undefined {
  if (to === 'delivered' && from !== 'on_hold') return 'projectDelivered';
  if (to === 'on_hold' && reason) return 'projectOnHold';
  if (to === 'closed' && reason) return 'projectClosed';
  return undefined;
}

function staffMailAbout({ from, to, by }: StateChange): StaffMail | undefined {
  if (by !== 'customer') return undefined;
  if (from === 'waiting_for_brief' && to === 'in_progress') return 'adminProjectBrief';
  if (to === 'changes_requested') return 'adminProjectChanges';
  if (to === 'accepted') return 'adminProjectAccepted';
  return undefined;
}

/** The customer's account is stored, so that the mail can be deleted with the account. */
function paramsOf(
  project: ProjectForMail,
  step: ProjectStep | null,
): ProjectParams & Pick<ProjectForMail, 'accountId'> {
  const { _id: projectId, accountId, number, title, customerName: name } = project;
  const { questions, deliverable, reason, dueOn } = project;
  return { projectId, accountId, number, title, name, step, questions, deliverable, reason, dueOn };
}
