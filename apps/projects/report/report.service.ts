import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type Actor,
  DomainError,
  type HandlerInputs,
  type Output,
  type ProjectReport,
  reportContract,
  type ReportLink,
  reportLinkLimits,
} from '#libs/contracts';
import { Inbox, newToken, sha256, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { ProjectAccess } from '../access/project-access.js';
import type { ProjectEntity } from '../project/project.entity.js';
import { ProjectRepository } from '../project/project.repository.js';
import { ReportLinkEntity } from './report-link.entity.js';
import { ReportLinkRepository } from './report-link.repository.js';
import { ReportRepository } from './report.repository.js';

type Input = HandlerInputs<typeof reportContract>;
type CreatedLink = Output<typeof reportContract.createReportLink>;

const dayMs = 86_400_000;

/**
 * A report shows the project's title and number, the customer's name, what was handed over, and the names of the files. It does not show the
 * thread, any prices or the content of the files. Only the hash of a link's token is stored.
 */
@Injectable()
export class ReportService {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: ProjectRepository,
    private readonly reports: ReportRepository,
    private readonly links: ReportLinkRepository,
    private readonly inbox: Inbox,
    private readonly clock: Clock,
  ) {}

  @Handles(reportContract.getProjectReport)
  async getReport(
    { id, month }: Input['getProjectReport'],
    { actor }: RequestContext,
  ): Promise<ProjectReport> {
    const { project } = await this.access.forCustomer(actor, id);
    return this.reportOf(project, month);
  }

  /** Throws LINK_EXPIRED for a link that was revoked, has expired or never existed. */
  @Handles(reportContract.readSharedReport)
  async openSharedReport({ token, month }: Input['readSharedReport']): Promise<ProjectReport> {
    const link = await this.links.open(sha256(token), this.clock.now());
    const project = link && (await this.projects.find(link.projectId));
    if (!project) throw new DomainError('LINK_EXPIRED');
    return this.reportOf(project, month);
  }

  @Handles(reportContract.listReportLinks)
  async listLinks({ id }: Input['listReportLinks'], { actor }: RequestContext): Promise<ReportLink[]> {
    await this.access.forCustomer(actor, id);
    return (await this.links.list(id)).map(linkView);
  }

  /** Throws COLLECTION_FULL. A repeated request gets the same link with another token, because no token is stored. */
  @Handles(reportContract.createReportLink)
  createLink(input: Input['createReportLink'], context: RequestContext): Promise<CreatedLink> {
    return this.inbox.once(context, (tx) => this.addLink(tx, input, context.actor), {
      toStored: ({ _id }) => _id,
      restore: async (id, tx) => {
        await this.access.forCustomer(context.actor, input.id, tx);
        const token = newToken();
        const link = await this.links.replaceToken(tx, id, sha256(token));
        if (!link) throw new DomainError('NOT_FOUND');
        return { ...linkView(link), token };
      },
    });
  }

  @Handles(reportContract.deleteReportLink)
  revokeLink({ id, link }: Input['deleteReportLink'], context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      await this.access.forCustomer(context.actor, id, tx);
      if (!(await this.links.revoke(tx, id, link, this.clock.now()))) throw new DomainError('NOT_FOUND');
      return { _id: link };
    });
  }

  /** Locks the project, so that the limit is exact. */
  private async addLink(
    tx: EntityManager,
    { id, label, days }: Input['createReportLink'],
    actor: Actor,
  ): Promise<CreatedLink> {
    const { project, person } = await this.access.forCustomer(actor, id, tx);
    if ((await this.links.count(tx, project.id)) >= reportLinkLimits.links)
      throw new DomainError('COLLECTION_FULL');
    const token = newToken();
    const createdAt = this.clock.now();
    const link = Object.assign(new ReportLinkEntity(), {
      ...{ id: uuidv7(), projectId: project.id, tokenHash: sha256(token), label: label.trim() },
      ...{ createdBy: person.accountId, createdAt },
      expiresAt: new Date(createdAt.getTime() + days * dayMs),
    });
    await this.links.insert(tx, link);
    return { ...linkView(link), token };
  }

  private async reportOf(project: ProjectEntity, month: string | undefined): Promise<ProjectReport> {
    const months = await this.reports.listMonths(project.id);
    const shown = month ?? months[0] ?? this.clock.now().toISOString().slice(0, 7);
    return {
      title: project.title,
      number: project.number,
      customerName: project.customerName,
      month: shown,
      months,
      delivered: await this.reports.listDeliverables(project.id, shown),
    };
  }
}

function linkView({ id, label, createdAt, expiresAt, openedAt }: ReportLinkEntity): ReportLink {
  return {
    _id: id,
    label,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    openedAt: openedAt?.toISOString() ?? null,
  };
}
