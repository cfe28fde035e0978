import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DomainError,
  type HandlerInputs,
  type Output,
  type ProjectSettings,
  type ProjectTemplate,
  projectTemplateContract,
} from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { openStates } from '../lifecycle/project-state.js';
import { SiteContentService } from '../site/site-content.service.js';
import type { ProjectSettingsEntity } from './project-settings.entity.js';
import { ProjectSettingsRepository } from './project-settings.repository.js';
import type { ProjectTemplateEntity } from './project-template.entity.js';
import { ProjectTemplateRepository } from './project-template.repository.js';

type Input = HandlerInputs<typeof projectTemplateContract>;

@Injectable()
export class ProjectTemplateService {
  constructor(
    private readonly inbox: Inbox,
    private readonly templates: ProjectTemplateRepository,
    private readonly settings: ProjectSettingsRepository,
    private readonly siteContent: SiteContentService,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** The packages on offer first, then those that have a template and are no longer on offer. */
  @Handles(projectTemplateContract.listProjectTemplates)
  async list(): Promise<ProjectTemplate[]> {
    const [offered, saved, projectCountsOfEarlierVersions] = await Promise.all([
      this.siteContent.listPackagesOnOffer(),
      this.templates.newestOfEachPackage(),
      this.templates.countProjectsOfEarlierVersions(openStates),
    ]);
    const templates = new Map(saved.map((template) => [template.packageId, template]));
    const offeredIds = new Set(offered.map(({ id }) => id));
    const former = saved
      .filter(({ packageId }) => !offeredIds.has(packageId))
      .map(({ packageId, packageName }) => ({ id: packageId, name: packageName }))
      .sort((a, b) => a.name.localeCompare(b.name));
    return [...offered, ...former].map((one) =>
      templateView(
        one,
        offeredIds.has(one.id),
        templates.get(one.id) ?? null,
        projectCountsOfEarlierVersions.get(one.id) ?? 0,
      ),
    );
  }

  @Handles(projectTemplateContract.getProjectTemplate)
  async get({ id }: Input['getProjectTemplate']): Promise<ProjectTemplate> {
    return this.view(id, await this.templates.newest(id));
  }

  @Handles(projectTemplateContract.updateProjectTemplate)
  update(
    { id, ifVersion, ...body }: Input['updateProjectTemplate'],
    context: RequestContext,
  ): Promise<Output<typeof projectTemplateContract.updateProjectTemplate>> {
    return this.inbox.once(context, async (tx) => {
      const before = await this.templates.lock(tx, id);
      const view = await this.view(id, before, tx);
      if (ifVersion !== undefined && ifVersion !== view.version)
        throw new DomainError('VERSION_MISMATCH', { current: view });
      if (before && isDeepStrictEqual(contentOf(before), contentOf(body)))
        return { record: view, modified: false };
      const { packageName } = view;
      const createdAt = this.clock.now();
      const template = {
        packageId: id,
        version: view.version + 1,
        packageName,
        ...contentOf(body),
        createdAt,
      };
      await this.templates.insert(tx, template);
      await this.audit.record(tx, context.actor, {
        ...{ section: 'projectTemplate', recordId: id, name: packageName },
        change: before ? 'updated' : 'created',
        before: before && { ...contentOf(before) },
        after: { ...contentOf(body) },
      });
      return { record: await this.view(id, template, tx), modified: true };
    });
  }

  @Handles(projectTemplateContract.getProjectSettings)
  async getSettings(): Promise<ProjectSettings> {
    return settingsView(await this.settings.get());
  }

  @Handles(projectTemplateContract.updateProjectSettings)
  updateSettings(
    { ifVersion, ...body }: Input['updateProjectSettings'],
    context: RequestContext,
  ): Promise<Output<typeof projectTemplateContract.updateProjectSettings>> {
    return this.inbox.once(context, async (tx) => {
      const settings = await this.settings.lock(tx);
      const { version, ...before } = settingsView(settings);
      if (ifVersion !== undefined && ifVersion !== version)
        throw new DomainError('VERSION_MISMATCH', { current: settingsView(settings) });
      if (isDeepStrictEqual(before, body)) return { record: settingsView(settings), modified: false };
      Object.assign(settings, body, { version: version + 1, updatedAt: this.clock.now() });
      await this.settings.save(tx, settings);
      await this.audit.record(tx, context.actor, {
        ...{ section: 'projectSettings', recordId: 'projectSettings', name: 'Project reminders' },
        ...{ change: 'updated', before, after: body },
      });
      return { record: settingsView(settings), modified: true };
    });
  }

  private async view(
    id: string,
    template: ProjectTemplateEntity | null,
    manager?: EntityManager,
  ): Promise<ProjectTemplate> {
    const offered = (await this.siteContent.listPackagesOnOffer(manager)).find((one) => one.id === id);
    if (!offered && !template) throw new DomainError('NOT_FOUND');
    const projectCountsOfEarlierVersions = await this.templates.countProjectsOfEarlierVersions(
      openStates,
      manager,
    );
    const named = offered ?? { id, name: template!.packageName };
    return templateView(named, offered !== undefined, template, projectCountsOfEarlierVersions.get(id) ?? 0);
  }
}

type Content = Pick<
  ProjectTemplateEntity,
  'questions' | 'checklist' | 'deliveryDays' | 'introduction' | 'welcome'
>;

const contentOf = ({ questions, checklist, deliveryDays, introduction, welcome }: Content): Content => ({
  ...{ questions, checklist, deliveryDays, introduction, welcome },
});

const emptyContent: Content = {
  ...{ questions: [], checklist: [], deliveryDays: null, introduction: '', welcome: '' },
};

function templateView(
  { id, name }: { id: string; name: string },
  onOffer: boolean,
  template: ProjectTemplateEntity | null,
  projectsOfEarlierVersions: number,
): ProjectTemplate {
  return {
    ...{ _id: id, packageName: name, onOffer, olderProjects: projectsOfEarlierVersions },
    ...contentOf(template ?? emptyContent),
    updatedAt: template?.createdAt.toISOString() ?? null,
    version: template?.version ?? 0,
  };
}

const settingsView = ({
  remindAfterDays,
  remindBriefAfterDays,
  version,
}: ProjectSettingsEntity): ProjectSettings => ({ remindAfterDays, remindBriefAfterDays, version });
