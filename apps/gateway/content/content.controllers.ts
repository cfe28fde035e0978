import { Body, Controller, Param, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ParsedBody as SectionBody, Section } from '#libs/content-model';
import { contentContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { StoredAnswerSender } from '../answers/stored-answer.sender.js';
import { Caller } from '../policy/caller.js';
import { IfMatch } from '../policy/if-match.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import {
  historyEndpoint,
  moveEndpoint,
  restoreEndpoint,
  type SectionEndpoints,
  sectionEndpoints,
  siteContentEndpoint,
} from './content.endpoints.js';
import { ContentWriter } from './content.writer.js';
import { ReadyAnswers } from './ready-answers.js';

function sectionController(section: Section, endpoints: SectionEndpoints): Type {
  @Controller()
  class SectionController extends readerOf(section, endpoints) {
    @Serves(endpoints.create)
    create(@Body(new ParsedBody(endpoints.create)) body: SectionBody, @Caller() caller: CallOptions) {
      return this.writer.create(section, body, caller);
    }

    @Serves(endpoints.update)
    update(
      @Param('id') id: string,
      @Body(new ParsedBody(endpoints.update)) body: SectionBody,
      @IfMatch() ifVersion: number | undefined,
      @Caller() caller: CallOptions,
    ) {
      return this.writer.update(section, id, body, ifVersion, caller);
    }
  }
  if (!endpoints.remove) return named(SectionController, section);
  const { remove: removeEndpoint } = endpoints;

  @Controller()
  class CollectionController extends SectionController {
    @Serves(removeEndpoint)
    remove(@Param('id') id: string, @IfMatch() ifVersion: number | undefined, @Caller() caller: CallOptions) {
      return this.writer.remove(section, id, ifVersion, caller);
    }
  }
  return named(CollectionController, section);
}

@Controller()
class SectionServices {
  constructor(
    protected readonly ready: ReadyAnswers,
    protected readonly sender: StoredAnswerSender,
    protected readonly writer: ContentWriter,
    protected readonly rpc: RpcClient,
  ) {}
}

/** The reads of a public section are finished answers; those of an admins' section are read for each admin who asks. */
function readerOf(section: Section, endpoints: SectionEndpoints): typeof SectionServices {
  @Controller()
  class PublicReader extends SectionServices {
    @Serves(endpoints.list)
    list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
      this.sender.send(this.ready.list(section), request, reply);
    }

    @Serves(endpoints.item)
    item(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
      this.sender.send(this.ready.item(section, id), request, reply);
    }
  }

  @Controller()
  class AdminReader extends SectionServices {
    @Serves(endpoints.list)
    list(@Caller() caller: CallOptions) {
      return this.rpc.call(contentContract.list, { section: section.name }, caller);
    }

    @Serves(endpoints.item)
    item(@Param('id') id: string, @Caller() caller: CallOptions) {
      return this.rpc.call(contentContract.item, { section: section.name, id }, caller);
    }
  }
  return section.shownOn ? PublicReader : AdminReader;
}

/** Nest tells controllers apart by their class's name. */
function named(controller: Type, { name }: Section): Type {
  const value = `${name.charAt(0).toUpperCase()}${name.slice(1)}Controller`;
  return Object.defineProperty(controller, 'name', { value });
}

/** One controller per section, derived from its declaration. */
export const sectionControllers: Type[] = sectionEndpoints.map(({ section, endpoints }) =>
  sectionController(section, endpoints),
);

/** What concerns the whole site. */
@Controller()
export class SiteController {
  constructor(
    private readonly ready: ReadyAnswers,
    private readonly sender: StoredAnswerSender,
    private readonly writer: ContentWriter,
  ) {}

  @Serves(siteContentEndpoint)
  siteContent(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.sender.send(this.ready.siteContent(), request, reply);
  }

  @Serves(restoreEndpoint)
  restore(@Param('section') section: string, @Param('id') id: string, @Caller() caller: CallOptions) {
    return this.writer.restore(section, id, caller);
  }

  @Serves(moveEndpoint)
  move(
    @Param('section') section: string,
    @Param('id') id: string,
    @Body(new ParsedBody(moveEndpoint)) { before }: { before: string },
    @Caller() caller: CallOptions,
  ) {
    return this.writer.move({ section, id, before }, caller);
  }

  @Serves(historyEndpoint)
  history(@Param('section') section: string, @Param('id') id: string, @Caller() caller: CallOptions) {
    return this.writer.history(section, id, caller);
  }
}
