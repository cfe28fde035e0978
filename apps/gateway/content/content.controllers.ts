import { Controller, type Type } from '@nestjs/common';
import { type ParsedBody, pictureFieldNames, type Section } from '#libs/content-model';
import { contentContract, createdAnswer, deletedAnswer, updatedAnswer } from '#libs/contracts';
import { sectionOperations, type SectionOperations, siteOperations } from '#libs/operations';
import { RpcClient } from '#libs/transport';
import { PictureUrls } from '../answers/picture-urls.js';
import { StoredAnswerSender } from '../answers/stored-answer.sender.js';
import { bindController, type Context, Serves } from '../routing/serves.js';
import { ReadyAnswers } from './ready-answers.js';

export const sectionControllers: Type[] = sectionOperations.map(({ section, operations }) =>
  sectionController(section, operations),
);

interface RecordInput {
  id: string;
  ifVersion?: number;
}

function sectionController(section: Section, operations: SectionOperations): Type {
  const { name } = section;
  const pictureFields = pictureFieldNames(section);
  @Controller()
  class SectionController {
    constructor(
      private readonly readyAnswers: ReadyAnswers,
      private readonly sender: StoredAnswerSender,
      private readonly pictureUrls: PictureUrls,
      private readonly rpc: RpcClient,
    ) {}

    /** Only sections with `shownOn` have ready answers. The others are for admins only. */
    list(_: object, { request, reply, caller }: Context) {
      if (section.shownOn) return this.sender.send(this.readyAnswers.list(section), request, reply);
      return this.rpc.call(contentContract.list, { section: name }, caller);
    }

    get({ id }: RecordInput, { request, reply, caller }: Context) {
      if (section.shownOn) return this.sender.send(this.readyAnswers.getRecord(section, id), request, reply);
      return this.rpc.call(contentContract.get, { section: name, id }, caller);
    }

    async create(received: ParsedBody, { caller }: Context) {
      const body = this.pictureUrls.toRelative(received, pictureFields);
      return createdAnswer(await this.rpc.call(contentContract.create, { section: name, body }, caller));
    }

    async update({ id, ifVersion, ...received }: RecordInput & ParsedBody, { caller }: Context) {
      const body = this.pictureUrls.toRelative(received, pictureFields);
      const input = { section: name, id, body, ifVersion };
      return updatedAnswer(await this.rpc.call(contentContract.update, input, caller));
    }

    async remove({ id, ifVersion }: RecordInput, { caller }: Context) {
      const input = { section: name, id, ifVersion };
      return deletedAnswer(await this.rpc.call(contentContract.remove, input, caller));
    }
  }
  bindController(SectionController, operations);
  // Nest's error messages name controllers by their classes.
  const value = `${name.charAt(0).toUpperCase()}${name.slice(1)}Controller`;
  return Object.defineProperty(SectionController, 'name', { value });
}

@Serves(siteOperations)
export class SiteController {
  constructor(
    private readonly readyAnswers: ReadyAnswers,
    private readonly sender: StoredAnswerSender,
  ) {}

  getSiteContent(_: object, { request, reply }: Context): void {
    this.sender.send(this.readyAnswers.getSiteContent(), request, reply);
  }
}
