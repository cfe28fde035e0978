import { Injectable } from '@nestjs/common';
import { type ParsedBody, pictureFields, type Section } from '#libs/content-model';
import { type CallInput, contentContract, type ContentRecord, type HistoryEntry } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { PictureAddresses } from '../answers/picture-addresses.js';
import { createdAnswer, deletedAnswer, updatedAnswer } from '../routing/acknowledged.js';
import { SiteSnapshot } from './site-snapshot.js';

/** Changes of content. Each answers once this gateway's own public answers include it: who writes reads what was written. */
@Injectable()
export class ContentWriter {
  constructor(
    private readonly rpc: RpcClient,
    private readonly site: SiteSnapshot,
    private readonly addresses: PictureAddresses,
  ) {}

  async create(section: Section, body: ParsedBody, caller: CallOptions) {
    const record = await this.rpc.call(
      contentContract.create,
      { section: section.name, body: this.stored(section, body) },
      caller,
    );
    await this.site.includeOwnWrite();
    return createdAnswer(record);
  }

  async update(
    section: Section,
    id: string,
    body: ParsedBody,
    ifVersion: number | undefined,
    caller: CallOptions,
  ) {
    const input = { section: section.name, id, body: this.stored(section, body), ifVersion };
    const result = await this.rpc.call(contentContract.update, input, caller);
    await this.site.includeOwnWrite();
    return updatedAnswer(result);
  }

  private stored(section: Section, body: ParsedBody): ParsedBody {
    return this.addresses.relative(body, pictureFields(section));
  }

  async remove(section: Section, id: string, ifVersion: number | undefined, caller: CallOptions) {
    const removed = await this.rpc.call(
      contentContract.remove,
      { section: section.name, id, ifVersion },
      caller,
    );
    await this.site.includeOwnWrite();
    return deletedAnswer(removed);
  }

  async restore(section: string, id: string, caller: CallOptions): Promise<ContentRecord> {
    const record = await this.rpc.call(contentContract.restore, { section, id }, caller);
    await this.site.includeOwnWrite();
    return record;
  }

  async move(place: CallInput<typeof contentContract.move>, caller: CallOptions): Promise<ContentRecord[]> {
    const records = await this.rpc.call(contentContract.move, place, caller);
    await this.site.includeOwnWrite();
    return records;
  }

  history(section: string, id: string, caller: CallOptions): Promise<HistoryEntry[]> {
    return this.rpc.call(contentContract.history, { section, id }, caller);
  }
}
