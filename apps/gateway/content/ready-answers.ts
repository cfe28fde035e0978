import { Inject, Injectable } from '@nestjs/common';
import { recordSchema, type Section } from '#libs/content-model';
import { type ContentRecord, DomainError, type Operation, type SiteContentSnapshot } from '#libs/contracts';
import { sectionOperations, siteOperations } from '#libs/operations';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { PictureUrls } from '../answers/picture-urls.js';
import { joinVary, StoredAnswer } from '../answers/stored-answer.js';
import { Cors } from '../answers/cors.js';
import { findPage } from '../routing/page-table.js';
import { SiteSnapshot } from './site-snapshot.js';

/** A public answer, created on first use. */
interface ReadyAnswer {
  /** The path has a page too, so `Accept` decides. */
  readonly dual: boolean;
  readonly answer: StoredAnswer;
}

/** Stored answers to every public read of content, by address, for the current version of the site. Each is created at most once per version. */
@Injectable()
export class ReadyAnswers {
  private answers = new Map<string, ReadyAnswer>();

  constructor(
    private readonly site: SiteSnapshot,
    private readonly cors: Cors,
    private readonly pictureUrls: PictureUrls,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
  ) {
    site.follow((snapshot) => this.prepare(snapshot));
  }

  /** The answer at exactly this path. Other forms of the path, such as with a trailing slash or a query, go through the router. */
  find(url: string): ReadyAnswer | undefined {
    return this.answers.get(url);
  }

  list(section: Section): StoredAnswer {
    return this.at(section.routes.list);
  }

  /** Throws NOT_FOUND for an unknown or malformed id, and UNAVAILABLE until the first snapshot has been loaded. */
  item(section: Section, id: string): StoredAnswer {
    return this.at(itemPath(section, id.toLowerCase()));
  }

  siteContent(): StoredAnswer {
    return this.at(siteOperations.getSiteContent.path);
  }

  private at(path: string): StoredAnswer {
    const found = this.answers.get(path);
    if (found) return found.answer;
    if (!this.site.isLoaded) throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 });
    throw new DomainError('NOT_FOUND');
  }

  private prepare({ version, sections, imageTexts }: SiteContentSnapshot): void {
    const answers = new Map<string, ReadyAnswer>();
    const shown: Record<string, ContentRecord[]> = {};
    for (const { section, operations, present } of shownSections) {
      const records = (sections[section.name] ?? []).map(present);
      shown[section.name] = records;
      this.add(answers, operations.list, section.routes.list, records);
      for (const record of records) this.add(answers, operations.item, itemPath(section, record._id), record);
    }
    this.add(answers, siteOperations.getSiteContent, siteOperations.getSiteContent.path, {
      version,
      sections: shown,
      imageTexts,
    });
    this.answers = answers;
  }

  /** Adds an answer if everyone may read it and it is the same for every caller. */
  private add(
    answers: Map<string, ReadyAnswer>,
    { policy, pictures }: Operation,
    path: string,
    value: unknown,
  ): void {
    if (policy.access !== 'public' || policy.session !== 'ignored') return;
    const dual = findPage(path) !== undefined;
    const vary = joinVary(dual ? 'Accept' : undefined, this.cors.vary);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': dual ? 'private, no-cache' : 'public, no-cache',
      ...(vary === '' ? {} : { Vary: vary }),
      ...this.headers.api,
    };
    const write = (body: unknown, forOtherOrigins?: () => StoredAnswer) =>
      new StoredAnswer({ status: 200, body: JSON.stringify(body), headers, forOtherOrigins });
    const forOthers = pictures?.size ? () => write(this.pictureUrls.absolute(value, pictures)) : undefined;
    let made: StoredAnswer | undefined;
    answers.set(path, {
      dual,
      get answer() {
        return (made ??= write(value, forOthers));
      },
    });
  }
}

function itemPath(section: Section, id: string): string {
  return section.routes.item.replace(':id', id);
}

/** Built once, not with each version of the site: a zod schema costs more to build than to use. */
const shownSections = sectionOperations
  .filter(({ section }) => section.shownOn)
  .map((each) => ({ ...each, present: presenter(each.section) }));

/** Answers have the declared fields only. Others, which an old record may still have, are left out. */
function presenter(section: Section): (record: ContentRecord) => ContentRecord {
  const names = Object.keys(recordSchema(section).shape);
  return (record) =>
    Object.fromEntries(
      names.flatMap((name) => (name in record ? [[name, record[name]]] : [])),
    ) as ContentRecord;
}
