import { Inject, Injectable } from '@nestjs/common';
import { recordSchema, type Section } from '#libs/content-model';
import { type ContentRecord, DomainError, type Operation, type SiteContentSnapshot } from '#libs/contracts';
import { sectionOperations, siteOperations } from '#libs/operations';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { PictureUrls } from '../answers/picture-urls.js';
import { joinVary, StoredAnswer } from '../answers/stored-answer.js';
import { Cors } from '../answers/cors.js';
import { findPage } from '../routing/page-table.js';
import { ContentCache } from './content-cache.js';

interface ReadyAnswer {
  /** Whether a page or a screen has the same path. Then `Accept` decides whether the client gets this answer. */
  readonly hasPage: boolean;
  readonly answer: StoredAnswer;
}

/** Stored answers to every public read of content, each created at most once per version of the content. */
@Injectable()
export class ReadyAnswers {
  private answers = new Map<string, ReadyAnswer>();

  constructor(
    private readonly content: ContentCache,
    private readonly cors: Cors,
    private readonly pictureUrls: PictureUrls,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
  ) {
    content.follow((snapshot) => this.prepare(snapshot));
  }

  /** Finds exact paths only: a request with a query or another spelling of the path goes through the router. */
  find(url: string): ReadyAnswer | undefined {
    return this.answers.get(url);
  }

  list(section: Section): StoredAnswer {
    return this.getAnswer(section.routes.list);
  }

  /** Throws NOT_FOUND for an unknown or malformed id, and UNAVAILABLE until there is content. */
  getRecord(section: Section, id: string): StoredAnswer {
    return this.getAnswer(recordPath(section, id.toLowerCase()));
  }

  getSiteContent(): StoredAnswer {
    return this.getAnswer(siteOperations.getSiteContent.path);
  }

  private getAnswer(path: string): StoredAnswer {
    const found = this.answers.get(path);
    if (found) return found.answer;
    if (!this.content.isLoaded) throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 });
    throw new DomainError('NOT_FOUND');
  }

  private prepare({ version, sections, imageTexts }: SiteContentSnapshot): void {
    const answers = new Map<string, ReadyAnswer>();
    const shown: Record<string, ContentRecord[]> = {};
    for (const { section, operations, present } of shownSections) {
      const records = (sections[section.name] ?? []).map(present);
      shown[section.name] = records;
      this.add(answers, operations.list, section.routes.list, records);
      for (const record of records)
        this.add(answers, operations.get, recordPath(section, record._id), record);
    }
    this.add(answers, siteOperations.getSiteContent, siteOperations.getSiteContent.path, {
      version,
      sections: shown,
      imageTexts,
    });
    this.answers = answers;
  }

  /** Stores the answer only if the operation is public and ignores the session. */
  private add(
    answers: Map<string, ReadyAnswer>,
    { policy, pictureFields }: Operation,
    path: string,
    value: unknown,
  ): void {
    if (policy.access !== 'public' || policy.session !== 'ignored') return;
    const hasPage = findPage(path) !== undefined;
    const vary = joinVary(hasPage ? 'Accept' : undefined, this.cors.vary);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      // `private` keeps shared caches, which often ignore `Vary`, from storing the answer.
      'Cache-Control': hasPage ? 'private, no-cache' : 'public, no-cache',
      ...(vary === '' ? {} : { Vary: vary }),
      ...this.headers.api,
    };
    const createAnswer = (body: unknown, forOtherOrigins?: () => StoredAnswer) =>
      new StoredAnswer({ status: 200, body: JSON.stringify(body), headers, forOtherOrigins });
    const forOthers = pictureFields?.size
      ? () => createAnswer(this.pictureUrls.toAbsolute(value, pictureFields))
      : undefined;
    let made: StoredAnswer | undefined;
    answers.set(path, {
      hasPage,
      get answer() {
        return (made ??= createAnswer(value, forOthers));
      },
    });
  }
}

function recordPath(section: Section, id: string): string {
  return section.routes.one.replace(':id', id);
}

/** Built once, because a zod schema costs more to build than to use. */
const shownSections = sectionOperations
  .filter(({ section }) => section.shownOn)
  .map((each) => ({ ...each, present: presenter(each.section) }));

/** An old record may have fields that are no longer declared; they are left out. */
function presenter(section: Section): (record: ContentRecord) => ContentRecord {
  const names = Object.keys(recordSchema(section).shape);
  return (record) =>
    Object.fromEntries(
      names.flatMap((name) => (name in record ? [[name, record[name]]] : [])),
    ) as ContentRecord;
}
