import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  bulkFailureOf,
  type BulkOutcome,
  type ContentSetup,
  DomainError,
  type HandlerInputs,
  setupContract,
} from '#libs/contracts';
import { allSections, findSection, type Section, type SectionName } from '#libs/content-model';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { ContentCommandService } from '../entry/content-command.service.js';
import type { EntryEntity } from '../entry/entry.entity.js';
import { EntryRepository } from '../entry/entry.repository.js';
import { type Author, EntryWriter, nameOf } from '../entry/entry.writer.js';
import { SiteVersionRepository } from '../site-version/site-version.repository.js';
import { contentSteps } from './content-steps.js';
import { DemoEntryRepository } from './demo-entry.repository.js';
import { PostponedStepRepository } from './postponed-step.repository.js';

type Input = HandlerInputs<typeof setupContract>;

@Injectable()
export class SetupService {
  constructor(
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
    private readonly commands: ContentCommandService,
    private readonly entries: EntryRepository,
    private readonly writer: EntryWriter,
    private readonly demoEntries: DemoEntryRepository,
    private readonly postponedSteps: PostponedStepRepository,
    private readonly siteVersion: SiteVersionRepository,
  ) {}

  @Handles(setupContract.contentSetup)
  async getSetup(): Promise<ContentSetup> {
    const [entries, demo, postponed] = await Promise.all([
      this.entries.listAll(),
      this.demoEntries.listUnchanged(),
      this.postponedSteps.list(),
    ]);
    const entriesOf = (name: SectionName) => entries.filter(({ section }) => section === name);
    return {
      steps: contentSteps(entriesOf, new Set(demo.map(({ id }) => id))),
      postponed,
      demoRecords: demoRecordsBySection(demo).flatMap(({ records }) => records).length,
    };
  }

  @Handles(setupContract.postponeSetupStep)
  setPostponed({ step, postponed }: Input['postponeSetupStep'], context: RequestContext) {
    return this.inbox.once(context, async (tx) => {
      const before = (await this.postponedSteps.list(tx)).includes(step);
      if (before !== postponed) {
        await (postponed ? this.postponedSteps.add(tx, step) : this.postponedSteps.remove(tx, step));
        await this.audit.record(tx, context.actor, {
          section: 'setupStep',
          recordId: step,
          name: step,
          change: 'updated',
          before: { postponed: before },
          after: { postponed },
        });
      }
      return { postponed: await this.postponedSteps.list(tx) };
    });
  }

  @Handles(setupContract.listDemoContent)
  async listDemo() {
    return demoRecordsBySection(await this.demoEntries.listUnchanged()).map(({ section, records }) => ({
      section: section.name,
      records: records.map(({ id, body }) => ({ _id: id, name: nameOf(section, body) })),
    }));
  }

  @Handles(setupContract.removeDemoContent)
  removeDemo(_: Input['removeDemoContent'], context: RequestContext): Promise<{ ids: string[] }> {
    return this.commands.once(
      context,
      async (tx, author) => {
        const ids: string[] = [];
        let siteVersion: number | null = null;
        // Locked before reading, so that no admin changes a record meanwhile.
        await this.siteVersion.lock(tx);
        for (const { section, records } of demoRecordsBySection(await this.demoEntries.listUnchanged(tx))) {
          for (const { id } of records) {
            ({ siteVersion } = await this.writer.remove(tx, author, section, { id }));
            ids.push(id);
          }
        }
        return { ids, siteVersion };
      },
      ({ ids }) => ({ ids }),
    );
  }

  @Handles(setupContract.restoreDemoContent)
  restoreDemo({ ids }: Input['restoreDemoContent'], context: RequestContext): Promise<BulkOutcome> {
    return this.commands.once(
      context,
      async (tx, author) => {
        const sections = await this.demoEntries.sectionsOf(tx, ids);
        const outcome: BulkOutcome = { done: [], failed: [] };
        let siteVersion: number | null = null;
        for (const id of ids) {
          try {
            const section = findSection(sections.get(id) ?? '');
            siteVersion = (await this.restore(tx, author, section, id)) ?? siteVersion;
            outcome.done.push(id);
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
            outcome.failed.push(bulkFailureOf(id, error.code, error.message));
          }
        }
        return { outcome, siteVersion };
      },
      ({ outcome }) => outcome,
    );
  }

  /** Uses a savepoint, so that the other records are restored even if this one cannot be. */
  private async restore(tx: EntityManager, author: Author, section: Section | undefined, id: string) {
    if (!section) throw new DomainError('NOT_FOUND');
    const { siteVersion } = await tx.transaction((savepoint) =>
      this.writer.restore(savepoint, author, section, id),
    );
    return siteVersion;
  }
}

/**
 * The sections are in the order of `allSections`. Leaves out records in which only choices are filled in, such as a mail text with only `mail` and
 * `send`: they hold no demo text or picture.
 */
function demoRecordsBySection(
  entries: readonly EntryEntity[],
): { section: Section; records: EntryEntity[] }[] {
  return allSections
    .map((section) => ({
      section,
      records: entries.filter(
        (entry) => entry.section === section.name && hasMoreThanChoices(section, entry),
      ),
    }))
    .filter(({ records }) => records.length > 0);
}

const hasMoreThanChoices = ({ fields }: Section, { body }: EntryEntity) =>
  Object.keys(body).some((field) => fields[field] && fields[field].kind !== 'choice');
