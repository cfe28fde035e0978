import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Inbox } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { SiteAnnouncer } from '../site-version/site-announcer.js';
import type { Author, WriteResult } from './entry.writer.js';

@Injectable()
export class ContentCommandService {
  constructor(
    private readonly inbox: Inbox,
    private readonly announcer: SiteAnnouncer,
  ) {}

  /** Carries out a command once. After the commit, tells the gateways about the site's new version, if there is one. */
  async once<T, W extends Pick<WriteResult, 'siteVersion'>>(
    context: RequestContext,
    write: (tx: EntityManager, author: Author) => Promise<W>,
    reply: (written: W) => T,
  ): Promise<T> {
    let version: number | null = null;
    const answer = await this.inbox.once(context, async (tx) => {
      const written = await write(tx, authorOf(context));
      version = written.siteVersion;
      return reply(written);
    });
    if (version !== null) this.announcer.announce(version);
    return answer;
  }
}

function authorOf({ actor, traceparent }: RequestContext): Author {
  return { actor, ...(traceparent === undefined ? {} : { traceparent }) };
}
