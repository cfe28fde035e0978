import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DomainError,
  emailAddress,
  type HandlerInputs,
  type ImportRefusal,
  isSingleLine,
  type PageOf,
  type RefusalReason,
  type SubscriberImport,
  subscriberImportContract,
  type SubscriberStatus,
  toSingleLine,
} from '#libs/contracts';
import { AuditTrail, Inbox, uuidv7 } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { DeletedSubscriberRepository } from './deleted-subscriber.repository.js';
import { SubscriberImportRepository } from './subscriber-import.repository.js';
import { SubscriberRepository } from './subscriber.repository.js';

type Input = HandlerInputs<typeof subscriberImportContract>;

const maxShownRefusals = 100;
/** Refused rows may contain anything, so they are cut to the greatest length of an e-mail address. */
const maxRefusalLength = 254;

/**
 * Each batch of rows takes effect once. If an import has stopped, the file can be imported again, because addresses that are on the list are refused.
 */
@Injectable()
export class SubscriberImportService {
  constructor(
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
    private readonly imports: SubscriberImportRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly deletedSubscribers: DeletedSubscriberRepository,
  ) {}

  @Handles(subscriberImportContract.beginImport)
  begin(description: Input['beginImport'], context: RequestContext): Promise<SubscriberImport> {
    return this.inbox.once(context, async (tx) => {
      const id = uuidv7();
      await this.imports.deleteOldRefusals(tx);
      await this.imports.insert(tx, { id, ...description });
      await this.audit.record(tx, context.actor, {
        section: 'subscriberImport',
        recordId: id,
        name: description.name,
        change: 'created',
        before: null,
        after: description,
      });
      return this.view(id, tx);
    });
  }

  @Handles(subscriberImportContract.importRows)
  addRows(
    { id, rows, last: isLast }: Input['importRows'],
    context: RequestContext,
  ): Promise<{ done: number }> {
    return this.inbox.once(context, async (tx) => {
      const subscriberImport = await this.imports.lock(tx, id);
      if (!subscriberImport) throw new DomainError('NOT_FOUND');
      const { addresses, refusals } = parseRows(rows);
      const emails = [...addresses.values()].map(({ text }) => text);
      // First the deleted records, then the rows in `subscribers`, as a restoration does. In opposite orders, the two could deadlock.
      await this.deletedSubscribers.lockStatuses(tx, [...addresses.keys()]);
      const inserted = await this.subscribers.insertImported(tx, id, subscriberImport.consent, emails);
      // Read again, because the insert may have waited for a deletion, which adds a deleted record.
      const blocked = await this.blockedStatuses(tx, inserted);
      await this.subscribers.deleteImported(tx, [...blocked.keys()]);
      const added = inserted.filter((address) => !blocked.has(address));
      for (const address of added) addresses.delete(address);
      refusals.push(...(await this.refusalsOfNotAdded(tx, id, addresses, blocked)));
      await this.imports.insertRefusals(
        tx,
        id,
        refusals.map((refusal) => ({ ...refusal, text: toSingleLine(refusal.text, maxRefusalLength) })),
      );
      const progress = { rows: rows.length, added: added.length, refused: refusals.length, isLast };
      return { done: await this.imports.addProgress(tx, id, progress) };
    });
  }

  @Handles(subscriberImportContract.getSubscriberImport)
  get({ id }: Input['getSubscriberImport']): Promise<SubscriberImport> {
    return this.view(id);
  }

  private async view(id: string, tx?: EntityManager): Promise<SubscriberImport> {
    const found = await this.imports.find(id, tx);
    if (!found) throw new DomainError('NOT_FOUND');
    return { ...found, refusals: await this.imports.refusalsAfter(id, 0, maxShownRefusals, tx) };
  }

  @Handles(subscriberImportContract.listRefusals)
  async refusals({ id, limit, cursor }: Input['listRefusals']): Promise<PageOf<ImportRefusal>> {
    const { refused: total } = await this.view(id);
    const found = await this.imports.refusalsAfter(id, Number(cursor ?? 0), limit + 1);
    const items = found.slice(0, limit);
    return { items, total, nextCursor: found.length > limit ? String(items.at(-1)!.line) : null };
  }

  /**
   * The statuses of those addresses whose last deleted subscriber can still be restored, and is unsubscribed or suppressed. An import does not add
   * these again. A sign-up that was not confirmed does not count, because somebody else may have made it.
   */
  private async blockedStatuses(
    tx: EntityManager,
    addresses: readonly string[],
  ): Promise<Map<string, SubscriberStatus>> {
    const deleted = await this.deletedSubscribers.lockStatuses(tx, addresses);
    const notPending = deleted.filter(({ status }) => status !== 'pending');
    // The statuses are sorted by deletion, so the newest of an address replaces the others.
    const newest = new Map(notPending.map(({ address, status }) => [address, status]));
    return new Map([...newest].filter(([, status]) => status !== 'subscribed'));
  }

  /**
   * The reason is the address's status, or `twice` if this import has added it. An address that was removed from the list meanwhile counts as
   * subscribed.
   */
  private async refusalsOfNotAdded(
    tx: EntityManager,
    importId: string,
    addresses: ReadonlyMap<string, Row>,
    blocked: ReadonlyMap<string, SubscriberStatus>,
  ): Promise<ImportRefusal[]> {
    const found = await this.subscribers.statusesOf(tx, importId, [...addresses.keys()]);
    const reasons = new Map<string, RefusalReason>(blocked);
    for (const { address, status, isFromThisImport } of found)
      reasons.set(address, isFromThisImport ? 'twice' : status);
    return [...addresses].map(([address, row]) => ({ ...row, reason: reasons.get(address) ?? 'subscribed' }));
  }
}

interface Row {
  line: number;
  text: string;
}

/** The keys of `addresses` are in lower case. */
function parseRows(rows: readonly Row[]): { addresses: Map<string, Row>; refusals: ImportRefusal[] } {
  const addresses = new Map<string, Row>();
  const refusals: ImportRefusal[] = [];
  for (const { line, text } of rows) {
    const parsed = isSingleLine(text) ? emailAddress.safeParse(text) : undefined;
    const address = parsed?.data?.toLowerCase();
    if (!parsed?.success || address === undefined) refusals.push({ line, text, reason: 'noAddress' });
    else if (addresses.has(address)) refusals.push({ line, text, reason: 'twice' });
    else addresses.set(address, { line, text: parsed.data });
  }
  return { addresses, refusals };
}
