import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { randomBytes } from 'node:crypto';
import type { Provider } from 'oidc-provider';
import { Identities } from './identities.js';
import { Misbehaviours } from './misbehaviours.js';
import type { GoogleClient } from './model.js';

export interface GoogleProvider {
  provider: Provider;
  identities: Identities;
  misbehaviours: Misbehaviours;
}

const scopes = 'openid email profile';
const seconds = { minute: 60, hour: 3600 };

/** oidc-provider (OpenID Certified), set up to behave like Google. State and keys are in memory, so a restart ends sign-ins that are in progress. */
export async function createGoogleProvider(issuer: string, client: GoogleClient): Promise<GoogleProvider> {
  const { default: OidcProvider, interactionPolicy } = await quietly(() => import('oidc-provider'));
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const identities = new Identities();
  const misbehaviours = new Misbehaviours(privateKey);

  const policy = interactionPolicy.base();
  policy.remove('consent');
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  // A session is not enough: people choose an account at each sign-in.
  policy
    .get('login')!
    .checks.add(
      new interactionPolicy.Check('choose', 'An account has to be chosen', ({ oidc }) => !oidc.result?.login),
    );

  const provider = await quietly(
    async () =>
      new OidcProvider(issuer, {
        clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            redirect_uris: client.redirectUris,
            grant_types: ['authorization_code'],
            response_types: ['code'],
          },
        ],
        jwks: { keys: [{ ...(await jwkOf(privateKey)), kid: randomBytes(8).toString('hex') }] },
        cookies: { keys: [randomBytes(32).toString('hex')] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        // Like Google’s, the ID token contains the address and the name.
        conformIdTokenClaims: false,
        features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
        interactions: { policy, url: (_context, { uid }) => `/choose/${uid}` },
        pkce: { required: () => true },
        ttl: {
          AccessToken: seconds.hour,
          AuthorizationCode: seconds.minute,
          Grant: seconds.hour,
          IdToken: seconds.hour,
          Interaction: seconds.hour,
          Session: seconds.hour,
        },
        findAccount: (_context, subject) => {
          const identity = identities.find(subject);
          return (
            identity && {
              accountId: subject,
              claims: () => ({
                sub: subject,
                email: identity.email,
                email_verified: identity.emailVerified,
                ...(identity.name && { name: identity.name }),
              }),
            }
          );
        },
        // Grants everything, because nobody is asked for consent.
        loadExistingGrant: async ({ oidc }) => {
          const grant = new oidc.provider.Grant({
            clientId: oidc.client!.clientId,
            accountId: oidc.session!.accountId!,
          });
          grant.addOIDCScope(scopes);
          await grant.save();
          return grant;
        },
        renderError: (context, { error, error_description: description }) => {
          context.type = 'text/plain; charset=utf-8';
          context.body = `SIMULATED Google refuses: ${error}${description ? ` (${description})` : ''}`;
        },
      }),
  );
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path === '/token' && body?.id_token)
      context.body = { ...body, id_token: await misbehaviours.apply(body.id_token) };
  });
  return { provider, identities, misbehaviours };
}

async function jwkOf(key: CryptoKey) {
  return { ...(await exportJWK(key)), kty: 'RSA' as const, alg: 'RS256' as const, use: 'sig' as const };
}

/** Hides the package's warnings about the version of Node and about its in-memory store, which is intended here. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn, info } = console;
  console.warn = console.info = () => undefined;
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, info });
  }
}
