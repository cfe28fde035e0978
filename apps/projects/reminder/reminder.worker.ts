import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { projectReminderDue } from '#libs/contracts';
import { Outbox, transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, addSeconds } from '#libs/runtime';
import { EntryRepository } from '../entry/entry.repository.js';
import { ProjectRepository } from '../project/project.repository.js';
import { SiteContentService } from '../site/site-content.service.js';
import { ProjectSettingsRepository } from '../template/project-settings.repository.js';

const daySeconds = 24 * 60 * 60;
/** How many reminders a run sends at most for each state. The rest follow in the next run. */
const remindersPerRun = 100;
/** After this many failures for one state, which probably have a common cause, the run goes on with the next state. */
const maxFailuresPerState = 10 * remindersPerRun;

@Injectable()
export class ReminderWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: ProjectSettingsRepository,
    private readonly projects: ProjectRepository,
    private readonly siteContent: SiteContentService,
    private readonly entries: EntryRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<void> {
    const { remindAfterDays, remindBriefAfterDays } = await this.settings.get();
    await this.remind('delivered', remindAfterDays);
    await this.remind('waiting_for_brief', remindBriefAfterDays);
  }

  /** A project whose reminder fails does not keep the others waiting: another one takes its place in this run. */
  private async remind(state: 'delivered' | 'waiting_for_brief', afterDays: number | null): Promise<void> {
    if (afterDays === null) return;
    const cutoff = addSeconds(this.clock.now(), -afterDays * daySeconds);
    const failed: string[] = [];
    let left = remindersPerRun;
    let ids: string[];
    do {
      ids = await this.projects.listIdsToRemind(state, cutoff, failed, left);
      for (const id of ids) {
        try {
          await this.remindOne(id, state, cutoff);
          left -= 1;
        } catch (error) {
          failed.push(id);
          this.logger.warn({ err: error, projectId: id }, 'Reminding the customer of a project failed');
        }
      }
    } while (ids.length > 0 && failed.length < maxFailuresPerState);
  }

  private async remindOne(id: string, state: 'delivered' | 'waiting_for_brief', cutoff: Date): Promise<void> {
    await transaction(this.dataSource, async (tx) => {
      const project = await this.projects.lock(tx, id);
      if (project?.state !== state || project.remindedAt !== null || project.stateSince > cutoff) return;
      const at = this.clock.now();
      await this.projects.setReminded(tx, project, at);
      const by = { side: 'system', accountId: null, name: await this.siteContent.getSiteName(tx) } as const;
      const text =
        state === 'delivered'
          ? 'A reminder to review the work was sent.'
          : 'A reminder to answer the questions was sent.';
      await this.entries.append(tx, project, { kind: 'event', what: 'reminded', by, at, text });
      const { accountId, version } = project;
      const step = state === 'delivered' ? 'review' : 'answer_brief';
      await this.outbox.append(tx, projectReminderDue, { projectId: id, accountId, version, step });
    });
  }
}
