import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { z } from 'zod';
import { refuseForeignForm, refuseForeignHosts } from '../shared/guard.js';
import { formActionSelf, sendPage, serveStyles } from '../shared/page.js';
import { Mailbox, maxWholeMails } from './mailbox.js';
import { mailListPage, mailPage, noSuchMailPage } from './pages/mail-pages.js';
import type { Reply } from './model.js';
import { composeReply, handOver, type ReplySite } from './replies.js';
import { CatchingServer } from './smtp.js';

export interface CatcherOptions {
  /** Port of the page and the control API. 0, the default, picks a free one. */
  port?: number;
  /** Port of the mail server. 0, the default, picks a free one. */
  smtpPort?: number;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Where mails survive a restart. Default: only in memory. */
  folder?: string | undefined;
  /** Gets the replies. Without it, the page has no form for replies, and calls of the control API that hand over a mail must name a site. */
  replySite?: ReplySite | undefined;
  warn?: (message: string) => void;
}

export interface RunningCatcher {
  /** Such as `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Such as `smtp://127.0.0.1:<port>`. */
  readonly smtpUrl: string;
  stop(): Promise<void>;
}

const filter = z.object({ to: z.string().max(320).optional(), subject: z.string().max(400).optional() });
/** `MailMisbehaviour` explains the fields. */
const misbehaviour = z.strictObject({
  to: z.string().max(320).optional(),
  times: z.int().min(1).max(1_000_000).optional(),
  refuse: z
    .strictObject({
      code: z.int().min(400).max(599),
      text: z.string().max(400),
      at: z.enum(['mail', 'rcpt', 'data']),
    })
    .optional(),
  delayMs: z.int().min(0).max(600_000).optional(),
  drop: z.enum(['kept', 'lost']).optional(),
});

export async function openCatcher(options: CatcherOptions = {}): Promise<RunningCatcher> {
  const { port = 0, smtpPort = 0, host = '127.0.0.1', folder, replySite, warn = () => undefined } = options;
  const mailbox = new Mailbox(folder, ({ message }) => warn(message));
  await mailbox.load();
  const smtp = new CatchingServer(mailbox);
  const app = Fastify({ forceCloseConnections: true });
  prepare(app, warn);
  app.get('/readyz', () => ({ status: 'ready' }));
  await serveStyles(app, '/mail.css', new URL('./pages/mail.css', import.meta.url));
  registerPages(app, mailbox, replySite);
  registerReplies(app, mailbox, replySite);
  registerControl(app, mailbox, smtp);
  const boundSmtpPort = await smtp.listen(smtpPort, host);
  const url = await app.listen({ port, host });
  return {
    url,
    smtpUrl: `smtp://${new URL(url).hostname}:${boundSmtpPort}`,
    stop: async () => {
      await Promise.all([app.close(), smtp.close()]);
    },
  };
}

function prepare(app: FastifyInstance, warn: (message: string) => void): void {
  refuseForeignHosts(app);
  app.addHook('onRequest', async (request) => {
    if (request.method !== 'GET') refuseForeignForm(request);
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error instanceof z.ZodError ? 400 : (error.statusCode ?? 500);
    if (status >= 500) warn(error.stack ?? error.message);
    return reply.code(status).send({ error: error.message });
  });
}

function registerPages(app: FastifyInstance, mailbox: Mailbox, replySite: ReplySite | undefined): void {
  app.get('/', (request, reply) => {
    const { to = '' } = filter.parse(request.query);
    return sendMailPage(reply, mailListPage(mailbox.list({ to }), to));
  });
  app.post('/clear', async (_request, reply) => {
    await mailbox.clear();
    return reply.redirect('/', 303);
  });
  app.get<{ Params: { id: string }; Querystring: { sent?: string } }>(
    '/mails/:id',
    async (request, reply) => {
      const mail = await mailbox.read(request.params.id);
      if (!mail) return sendMailPage(reply.code(404), noSuchMailPage(maxWholeMails));
      return sendMailPage(
        reply,
        mailPage(mail, { hasReplySite: replySite !== undefined, replyStatus: request.query.sent }),
      );
    },
  );
  // Untrusted HTML is shown in a sandboxed frame that can only open links in another window.
  app.get<{ Params: { id: string } }>('/mails/:id/html', async (request, reply) => {
    const mail = await mailbox.read(request.params.id);
    if (!mail) return reply.code(404).send({ error: 'There is no such mail.' });
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'",
      )
      .send(mail.html.replace(/<head>/i, '<head><base target="_blank">'));
  });
}

function sendMailPage(reply: FastifyReply, page: string): FastifyReply {
  return sendPage(reply, page, formActionSelf, "frame-src 'self'");
}

const maxHandedOverBytes = 40 * 1024 * 1024;
const replyBody = z.strictObject({
  text: z.string().max(1_000_000),
  from: z.string().max(320).optional(),
  messageId: z.string().max(300).optional(),
  attachments: z.array(z.strictObject({ name: z.string().max(300), content: z.base64() })).optional(),
});
const otherSite = z.object({ siteUrl: z.url(), secret: z.string() });

function registerReplies(app: FastifyInstance, mailbox: Mailbox, replySite: ReplySite | undefined): void {
  /** Resolves with the status of the site's answer; undefined if nothing was sent. */
  const send = async (id: string, reply: z.output<typeof replyBody>, site = replySite) => {
    const mail = await mailbox.read(id);
    const raw = mail && (await composeReply(mail, reply as Reply));
    return raw && site ? handOver(raw, site) : undefined;
  };
  app.post<{ Params: { id: string } }>('/mails/:id/reply', async (request, answer) => {
    const status = await send(request.params.id, replyBody.parse(request.body));
    if (status === undefined) {
      const error = 'Nothing was sent: there is no such mail, it has no reply address, or no site is set.';
      return answer.code(404).send({ error });
    }
    return answer.redirect(`/mails/${request.params.id}?sent=${status}`, 303);
  });
  app.post<{ Params: { id: string } }>(
    '/control/mails/:id/reply',
    { bodyLimit: maxHandedOverBytes },
    async (request) => {
      const { site, ...reply } = replyBody.extend({ site: otherSite.optional() }).parse(request.body);
      return { status: (await send(request.params.id, reply, site)) ?? 404 };
    },
  );
  app.post('/control/hand-over', { bodyLimit: maxHandedOverBytes }, async (request) => {
    const { raw, site = replySite } = z
      .object({ raw: z.base64(), site: otherSite.optional() })
      .parse(request.body);
    return { status: site ? await handOver(Buffer.from(raw, 'base64'), site) : 404 };
  });
}

/** The control API, which `MailCatcher` calls. Its routes for replies, in `registerReplies`, answer `status: 404` if nothing was sent. */
function registerControl(app: FastifyInstance, mailbox: Mailbox, smtp: CatchingServer): void {
  app.get('/control/mails', (request) => mailbox.list(filter.parse(request.query)));
  app.get<{ Params: { id: string } }>('/control/mails/:id', async (request, reply) => {
    return (
      (await mailbox.read(request.params.id)) ?? reply.code(404).send({ error: 'There is no such mail.' })
    );
  });
  app.delete('/control/mails', async () => {
    await mailbox.clear();
    return {};
  });
  app.post('/control/misbehaviour', (request) => {
    smtp.misbehave(misbehaviour.parse(request.body));
    return {};
  });
  app.delete('/control/misbehaviour', () => {
    smtp.behave();
    return {};
  });
}
