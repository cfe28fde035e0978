import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { CaughtMail, MailFilter, ParsedMail } from './model.js';

/** Of older mails, only the list entries are kept. */
export const maxWholeMails = 1_000;
const maxListEntries = 50_000;

/** The case of letters does not matter. */
export const includesText = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

export class Mailbox {
  private mails: (CaughtMail & { raw?: Buffer })[] = [];

  constructor(
    private readonly folder: string | undefined,
    private readonly onError: (error: Error) => void,
  ) {}

  async load(): Promise<void> {
    if (!this.folder) return;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const files = (await readdir(this.folder)).filter((name) => name.endsWith('.eml')).sort();
    for (const file of files.slice(0, -maxWholeMails)) await rm(join(this.folder, file), { force: true });
    for (const file of files.slice(-maxWholeMails)) {
      const raw = await readFile(join(this.folder, file));
      const { headers } = await PostalMime.parse(raw);
      // Finds the first header of that name, which `add` has written. A forwarded mail may have others.
      const header = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
      const id = file.replace(/^\d+-|\.eml$/g, '');
      const from = header('return-path');
      const to = header('delivered-to');
      const receivedAt = new Date(Number(file.split('-', 1)[0])).toISOString();
      this.mails.push({ ...(await summaryOf(raw)), id, from, to, receivedAt, raw });
    }
  }

  async add(from: string, to: string, message: Buffer): Promise<void> {
    const id = randomUUID();
    // RFC 5321, section 4.4: a server that delivers mail adds the return path.
    const raw = Buffer.concat([Buffer.from(`Return-Path: ${from}\r\nDelivered-To: ${to}\r\n`), message]);
    const mail = { ...(await summaryOf(raw)), id, from, to, receivedAt: new Date().toISOString(), raw };
    this.mails.push(mail);
    const old = this.mails.at(-maxWholeMails - 1);
    if (old) delete old.raw;
    if (this.mails.length > maxListEntries) this.mails.shift();
    if (!this.folder) return;
    await writeFile(fileOf(this.folder, mail), raw, { mode: 0o600 }).catch(this.onError);
    if (old) await rm(fileOf(this.folder, old), { force: true }).catch(this.onError);
  }

  /** Newest first. */
  list({ to = '', subject = '' }: MailFilter = {}): CaughtMail[] {
    return this.mails
      .filter((mail) => includesText(mail.to, to) && includesText(mail.subject, subject))
      .map(({ raw: _raw, ...mail }) => mail)
      .reverse();
  }

  /** Undefined if the mail does not exist (any more), or only its list entry is left. */
  async read(id: string): Promise<ParsedMail | undefined> {
    const found = this.mails.find((mail) => mail.id === id);
    if (!found?.raw) return undefined;
    const { raw, ...mail } = found;
    const { headers, text = '', html = '' } = await PostalMime.parse(raw);
    return {
      ...mail,
      headers: headers.map(({ key, value }) => ({ name: key, value })),
      text,
      html,
      raw: raw.toString('latin1'),
    };
  }

  async clear(): Promise<void> {
    this.mails = [];
    if (!this.folder) return;
    for (const file of await readdir(this.folder)) {
      if (file.endsWith('.eml')) await rm(join(this.folder, file), { force: true });
    }
  }
}

const fileOf = (folder: string, { id, receivedAt }: CaughtMail) =>
  join(folder, `${Date.parse(receivedAt)}-${id}.eml`);

async function summaryOf(raw: Buffer): Promise<Pick<CaughtMail, 'subject' | 'messageId' | 'size'>> {
  // The headers are enough for the list, and fast to parse even for many mails.
  const end = raw.indexOf('\r\n\r\n');
  const { subject = '', messageId = '' } = await PostalMime.parse(
    raw.subarray(0, end === -1 ? undefined : end + 4),
  );
  return { subject, messageId, size: raw.length };
}
