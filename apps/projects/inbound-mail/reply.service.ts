import { cutText } from '#libs/runtime';
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Actor, DomainError, fileLimits, identityContract, system, toSingleLine } from '#libs/contracts';
import { AuditTrail, transaction } from '#libs/database';
import { RpcClient } from '#libs/transport';
import { AuthorService, type ProjectAuthor } from '../access/author.service.js';
import { ProjectAccess } from '../access/project-access.js';
import type { ProjectsConfig } from '../config.js';
import { PROJECTS_CONFIG } from '../config.module.js';
import type { ReaderEntity } from '../entry/reader.entity.js';
import { ReaderRepository } from '../entry/reader.repository.js';
import { ReceivedFileService } from '../file/received-file.service.js';
import type { ProjectEntity } from '../project/project.entity.js';
import { MessageService } from '../thread/message.service.js';
import { staffAudit } from '../thread/staff-audit.js';
import { DroppedMail } from './drop-reason.js';
import { InboundMailRepository, type LeasedInboundMail } from './inbound-mail.repository.js';
import { type ReceivedMail, replyTokensOf } from './received-mail.js';
import { hasUnquotedOriginal, type WrittenReply } from './written-reply.js';

const asSystem = { actor: system, deadlineMs: 5_000 };
/** Longer texts are cut in the message, and shown in full in its collapsed part. */
const maxMessageText = 20_000;

/** The author of a reply is the person to whom the reply address belongs. */
@Injectable()
export class ReplyService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: InboundMailRepository,
    private readonly readers: ReaderRepository,
    private readonly messages: MessageService,
    private readonly access: ProjectAccess,
    private readonly authors: AuthorService,
    private readonly files: ReceivedFileService,
    private readonly rpc: RpcClient,
    private readonly audit: AuditTrail,
    @Inject(PROJECTS_CONFIG) private readonly config: ProjectsConfig,
  ) {}

  /** Returns the project's id. Throws `DroppedMail`. */
  async post(leased: LeasedInboundMail, received: ReceivedMail): Promise<string> {
    if (received.automatic) throw new DroppedMail('automatic');
    const { reader, token } = await this.getReader(received);
    const mail = withoutToken(received, token);
    await this.verifySender(reader, mail.from);
    const isUnclear = mail.text === '' && mail.attachments.length === 0;
    if (isUnclear && !hasUnquotedOriginal(mail.folded)) throw new DroppedMail('empty');
    const replyKey = mail.messageId === '' ? null : replyKeyOf(reader, mail.messageId);
    const { files, leftOut } = await transaction(this.dataSource, (tx) =>
      this.reserveFiles(tx, reader, mail, replyKey, token),
    );
    try {
      for (const { id, content } of files) await this.files.store(id, content);
      await transaction(this.dataSource, async (tx) => {
        // Checks again, because the project was not locked while the files were stored.
        const { project, by, actor } = await this.authorize(tx, reader, mail, replyKey);
        for (const { id, content } of files) await this.files.finish(tx, id, content);
        const { text, folded } = shortened(mail);
        await this.messages.post(tx, project, by, {
          text: [isUnclear ? 'The whole mail is shown below.' : text, leftOut].filter(Boolean).join('\n\n'),
          ...(folded !== '' && { folded }),
          files: files.map(({ id }) => id),
          byMail: true,
        });
        if (by.side === 'staff')
          await this.audit.record(tx, actor, staffAudit(project, { added: 'message' }));
        if (!(await this.mails.finishPosted(tx, leased, reader.projectId, replyKey)))
          throw new Error('Another process handles this mail');
      });
    } catch (error) {
      // Another try makes new reservations. If the database cannot be reached, these ones expire.
      await transaction(this.dataSource, (tx) =>
        this.files.release(
          tx,
          files.map(({ id }) => id),
        ),
      ).catch(() => undefined);
      throw error;
    }
    if (files.length > 0) this.files.startExamination();
    return reader.projectId;
  }

  private async getReader({ recipients }: ReceivedMail): Promise<{ reader: ReaderEntity; token: string }> {
    const { INBOUND_MAIL_ADDRESS: replyAddress } = this.config;
    // The recipients may include reply addresses that no longer belong to anyone.
    for (const token of replyAddress === undefined ? [] : replyTokensOf(recipients, replyAddress)) {
      const reader = await this.readers.findByToken(token);
      if (reader) return { reader, token };
    }
    throw new DroppedMail('unknown_token');
  }

  private async verifySender({ accountId, side }: ReaderEntity, from: string): Promise<void> {
    const { email } = await this.rpc.call(identityContract.confirmedEmail, { accountId }, asSystem);
    if (email === null || email.toLowerCase() !== from) throw new DroppedMail('other_sender');
    if (side !== 'staff') return;
    const admins = await this.rpc.call(identityContract.adminEmails, {}, asSystem);
    if (!admins.some((admin) => admin.toLowerCase() === from)) throw new DroppedMail('not_permitted');
  }

  /** Checks that the sender may write in the project. Locks the project, so that a mail that arrives twice is posted only once. */
  private async authorize(
    tx: EntityManager,
    { projectId, accountId, side }: ReaderEntity,
    { from }: ReceivedMail,
    replyKey: string | null,
  ): Promise<{ project: ProjectEntity; by: ProjectAuthor; actor: Actor }> {
    const role = side === 'staff' ? 'admin' : 'customer';
    const actor: Actor = { role, accountId, email: from, emailVerified: true, sessionId: '' };
    const authorized = await dropUnlessPermitted(async () => {
      if (side === 'staff') {
        const access = await this.access.forStaff(actor, projectId, tx);
        return { project: access.project, by: await this.authors.ofStaff(access, tx) };
      }
      const access = await this.access.forCustomer(actor, projectId, tx);
      return { project: access.project, by: await this.authors.ofCustomer(access, tx) };
    });
    if (replyKey !== null && (await this.mails.isPosted(tx, replyKey))) throw new DroppedMail('repeated');
    return { ...authorized, actor };
  }

  /** `leftOut` is added to the message. It says which attachments are left out, and why. */
  private async reserveFiles(
    tx: EntityManager,
    reader: ReaderEntity,
    mail: ReceivedMail,
    replyKey: string | null,
    token: string,
  ): Promise<{ files: { id: string; content: Buffer }[]; leftOut: string }> {
    const { project, by } = await this.authorize(tx, reader, mail, replyKey);
    const files: { id: string; content: Buffer }[] = [];
    const noRoom: string[] = [];
    const { moreAttachmentCount } = mail;
    // An attachment with the token, such as a forwarded notification, is left out: others must not learn the person’s reply address.
    const isPrivate = ({ content, decoded }: ReceivedMail['attachments'][number]) =>
      [content, ...decoded].some((bytes) => containsIgnoringCase(bytes, token));
    const attachments = mail.attachments.filter((attachment) => !isPrivate(attachment));
    const withToken = mail.attachments.filter(isPrivate).map(({ name }) => name);
    for (const { name, content } of attachments.slice(0, fileLimits.attached)) {
      const id = await this.files.reserve(tx, project.id, by, { name, bytes: content.length });
      if (id === null) noRoom.push(name);
      else files.push({ id, content: bufferOf(content) });
    }
    const tooMany = attachments.slice(fileLimits.attached).map(({ name }) => name);
    const leftOut = [
      leftOutSentence(withToken, 0, 'to keep the sender’s reply address private'),
      leftOutSentence(noRoom, 0, 'because the project can’t store more files'),
      leftOutSentence(
        tooMany,
        moreAttachmentCount,
        `because a message can have at most ${fileLimits.attached} files`,
      ),
    ];
    return { files, leftOut: leftOut.filter(Boolean).join('\n\n') };
  }
}

const maxNames = 5;

function leftOutSentence(names: readonly string[], more: number, why: string): string {
  const count = names.length + more;
  if (count === 0) return '';
  const shown = names.slice(0, maxNames).map((name) => toSingleLine(name, 100));
  const list = [...shown, ...(count > shown.length ? ['…'] : [])].join(', ');
  return `${count === 1 ? 'One attachment was' : `${count} attachments were`} left out, ${why}: ${list}`;
}

async function dropUnlessPermitted<T>(access: () => Promise<T>): Promise<T> {
  try {
    return await access();
  } catch (error) {
    if (error instanceof DomainError && ['NOT_FOUND', 'FORBIDDEN'].includes(error.code))
      throw new DroppedMail('not_permitted');
    throw error;
  }
}

/** Two mails with the same Message-ID to the same reader’s address are the same message. */
function replyKeyOf({ projectId, accountId, side }: ReaderEntity, messageId: string): string {
  return createHash('sha256').update([projectId, accountId, side, messageId].join('\0')).digest('hex');
}

/** Shares the memory, because attachments can be large. */
const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);

/** `text` is in lower case and ASCII. */
const containsIgnoringCase = (bytes: Uint8Array, text: string) =>
  bufferOf(bytes).toString('latin1').toLowerCase().includes(text);

/** Mail programs quote the reply address. With its token, others could write in this person’s name. */
function withoutToken(mail: ReceivedMail, token: string): ReceivedMail {
  // In a link, the plus sign of the address may be encoded.
  const tokens = new RegExp(`(\\+|%2B)?${token}`, 'gi');
  const clean = (text: string) => text.replace(tokens, '');
  const attachments = mail.attachments.map((one) => ({ ...one, name: clean(one.name) }));
  return { ...mail, text: clean(mail.text), folded: clean(mail.folded), attachments };
}

function shortened({ text, folded }: WrittenReply): WrittenReply {
  if (text.length <= maxMessageText) return { text, folded };
  return {
    text: `${cutText(text, maxMessageText - 2)} …`,
    folded: `${text}\n\n${folded}`.trim(),
  };
}
