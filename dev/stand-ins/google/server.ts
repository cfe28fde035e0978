import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { z } from 'zod';
import { freePort } from '../../embedded/ports.js';
import { refuseForeignForm, refuseForeignHosts } from '../shared/guard.js';
import { sendPage, serveStyles } from '../shared/page.js';
import { demoIdentities } from './identities.js';
import type { GoogleClient } from './model.js';
import { chooserPage, frontPage, refusalPage } from './pages/google-pages.js';
import { type GoogleProvider, createGoogleProvider } from './provider.js';

export interface GoogleStandInOptions {
  client: GoogleClient;
  /** 0, the default, picks a free port. */
  port?: number;
  /** Default: 127.0.0.1. */
  host?: string;
  /** The address that browsers and the site use. Default: `http://127.0.0.1:<port>`. */
  url?: string;
}

export interface RunningGoogleStandIn {
  /** The issuer, and the base of all addresses. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The provider answers all other paths. */
const ownPaths = /^\/(?:$|\?|choose\/|control\/|(?:base|google)\.css$|readyz$)/;

export async function openGoogleStandIn(options: GoogleStandInOptions): Promise<RunningGoogleStandIn> {
  const { client, port: wanted = 0, host = '127.0.0.1' } = options;
  // The provider needs the port before the server listens, because the default issuer contains it.
  const port = wanted === 0 ? await freePort() : wanted;
  const url = options.url ?? `http://127.0.0.1:${port}`;
  const google = await createGoogleProvider(url, client);
  const providerListener = google.provider.callback() as RequestListener;
  const outage = { down: false };
  const app = Fastify({
    // Enough for every form and control call.
    bodyLimit: 65 * 1024,
    forceCloseConnections: true,
    serverFactory: (ownListener) =>
      createServer((request, response) => {
        if (outage.down && !request.url!.startsWith('/control/')) return void request.socket.destroy();
        if (ownPaths.test(request.url!)) ownListener(request, response);
        else providerListener(request, response);
      }),
  });
  await prepare(app);
  registerChooser(app, google);
  registerControl(app, google, outage);
  await app.listen({ port, host });
  return { url, stop: () => app.close() };
}

async function prepare(app: FastifyInstance): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  refuseForeignHosts(app);
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    reply.code(error.statusCode ?? (error instanceof z.ZodError ? 400 : 500));
    if (request.url.startsWith('/control/')) return reply.send({ error: error.message });
    return sendPage(reply, refusalPage(error.message));
  });
  app.get('/readyz', () => ({ status: 'ready' }));
  await serveStyles(app, '/google.css', new URL('./pages/google.css', import.meta.url));
  app.get('/', (_request, reply) => sendPage(reply, frontPage()));
}

const trimmedText = (maxLength: number) => z.string().trim().max(maxLength);
const choice = z.union([
  z.object({ cancel: z.literal('yes') }),
  z.object({ demo: z.enum(demoIdentities.map(({ email }) => email)) }),
  z.object({
    email: z.email().max(254),
    name: trimmedText(100).optional(),
    subject: trimmedText(60)
      .optional()
      .transform((subject) => subject || undefined),
    verified: z.literal('yes').optional(),
  }),
]);

function registerChooser(app: FastifyInstance, { provider, identities }: GoogleProvider): void {
  type WithUid = { Params: { uid: string } };

  app.get<WithUid>('/choose/:uid', async (request, reply) => {
    const site = await siteOf(request.raw, reply);
    return sendPage(reply, chooserPage({ uid: request.params.uid, site }));
  });

  app.post<WithUid>('/choose/:uid', async (request, reply) => {
    refuseForeignForm(request);
    const site = await siteOf(request.raw, reply);
    const chosen = choice.safeParse(request.body);
    if (!chosen.success) {
      const fault = 'Enter an e-mail address.';
      return sendPage(reply.code(400), chooserPage({ uid: request.params.uid, site, fault }));
    }
    reply.hijack();
    await provider.interactionFinished(request.raw, reply.raw, resultOf(chosen.data));
  });

  /** The site that asks for the sign-in. Rejects if the interaction has ended or belongs to another browser. */
  async function siteOf(request: IncomingMessage, reply: FastifyReply): Promise<string> {
    const { params } = await provider.interactionDetails(request, reply.raw);
    return new URL(params.redirect_uri as string).host;
  }

  function resultOf(chosen: z.output<typeof choice>) {
    if ('cancel' in chosen) return { error: 'access_denied', error_description: 'The person cancelled.' };
    const identity =
      'demo' in chosen
        ? demoIdentities.find(({ email }) => email === chosen.demo)!
        : { ...chosen, emailVerified: chosen.verified === 'yes' };
    // `select_account` tells oidc-provider that the person has answered this prompt, if the site requested it.
    return { login: { accountId: identities.put(identity) }, select_account: {} };
  }
}

const misbehaviour = z.strictObject({
  subject: trimmedText(60),
  how: z.strictObject({
    claims: z.record(z.string(), z.unknown()).optional(),
    signature: z.enum(['foreign', 'none']).optional(),
    delayMs: z.int().min(0).max(60_000).optional(),
    times: z.int().min(1).optional(),
  }),
});

/** The control API, which `GoogleStandIn` calls. */
function registerControl(
  app: FastifyInstance,
  { misbehaviours }: GoogleProvider,
  outage: { down: boolean },
): void {
  app.post('/control/misbehaviour', (request) => {
    const { subject, how } = misbehaviour.parse(request.body);
    misbehaviours.set(subject, how);
    return {};
  });
  app.delete('/control/misbehaviour', (request) => {
    misbehaviours.forget(z.strictObject({ subject: trimmedText(60) }).parse(request.body).subject);
    return {};
  });
  app.post('/control/outage', (request) => {
    outage.down = z.strictObject({ down: z.boolean() }).parse(request.body).down;
    return {};
  });
}
