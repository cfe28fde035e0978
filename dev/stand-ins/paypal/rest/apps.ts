import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.js';
import { newWebhookId } from '../identifiers.js';
import type { Merchants } from '../merchants.js';
import type { AppProfile, RestApp } from '../model.js';
import { Refusal } from '../refusal.js';
import { ApiError, OAuthError } from './errors.js';

export interface App {
  clientId: string;
  secret: string;
  merchantId: string;
}

/** An address to which PayPal sends events of these types. */
export interface Webhook {
  id: string;
  clientId: string;
  url: string;
  /** `*` means all. */
  eventTypes: string[];
}

interface Token {
  clientId: string;
  expiresAt: number;
}

const tokenSeconds = 32_400;
const maxApps = 1_000;
const maxTokens = 10_000;
/** PayPal's limit. */
const maxWebhooksPerApp = 10;

export class Apps {
  private readonly apps = new Map<string, App>();
  private readonly webhooks = new Map<string, Webhook>();
  private readonly tokens = new Map<string, Token>();

  constructor(
    private readonly clock: Clock,
    private readonly merchants: Merchants,
    private readonly changed: () => void,
  ) {}

  get all(): App[] {
    return [...this.apps.values()];
  }

  get allWebhooks(): Webhook[] {
    return [...this.webhooks.values()];
  }

  /** Creates or updates the app `clientId` and its webhook `webhookId` (default: the app's first). A new webhook needs `webhookUrl`. */
  createOrUpdate({
    clientId = newClientId(),
    secret,
    email,
    webhookId,
    webhookUrl,
    eventTypes,
  }: AppProfile): RestApp {
    const known = this.apps.get(clientId);
    if (!known && this.apps.size >= maxApps) throw new Refusal(409, 'There are too many apps.');
    const merchant = email
      ? this.merchants.createOrUpdate({ email })
      : known
        ? this.merchants.get(known.merchantId)
        : this.merchants.createOrUpdate({ email: sandboxEmail(clientId) });
    const firstWebhook = this.webhooksOf(clientId)[0];
    const id = webhookId ?? firstWebhook?.id ?? newWebhookId();
    const existingWebhook = this.webhooks.get(id);
    // A webhook of another app moves to this app, but only within the same merchant.
    if (existingWebhook && existingWebhook.clientId !== clientId) {
      const owner = this.apps.get(existingWebhook.clientId)!;
      if (owner.merchantId !== merchant.id)
        throw new Refusal(409, 'This is the id of another merchant’s webhook.', 'webhookId');
    }
    const app = { clientId, secret: secret ?? known?.secret ?? newSecret(), merchantId: merchant.id };
    this.apps.set(clientId, app);
    const url = webhookUrl ?? existingWebhook?.url;
    if (url !== undefined) {
      // Replaces any other webhook of the merchant at this address.
      for (const other of this.webhooksOfMerchant(merchant.id))
        if (other.url === url) this.webhooks.delete(other.id);
      this.webhooks.set(id, {
        id,
        clientId,
        url,
        eventTypes: eventTypes ?? existingWebhook?.eventTypes ?? ['*'],
      });
    }
    this.changed();
    return { ...app, ...(url !== undefined && { webhookId: id }), email: merchant.email };
  }

  /** `POST /v1/oauth2/token`. */
  issueToken(authorization: string | undefined, grantType: string | undefined): object {
    const app = this.authenticate(authorization);
    if (grantType !== 'client_credentials')
      throw new OAuthError(400, 'unsupported_grant_type', 'unsupported grant_type');
    const value = `A21AA${randomBytes(69).toString('base64url')}`;
    const now = this.clock.now();
    this.tokens.set(value, { clientId: app.clientId, expiresAt: now + tokenSeconds * 1_000 });
    for (const oldest of this.tokens.keys()) {
      if (this.tokens.size <= maxTokens) break;
      this.tokens.delete(oldest);
    }
    return {
      scope:
        'https://uri.paypal.com/services/payments/refund https://uri.paypal.com/services/applications/webhooks https://uri.paypal.com/services/payments/payment/authcapture https://uri.paypal.com/services/disputes/read-seller https://uri.paypal.com/payments/payouts openid',
      access_token: value,
      token_type: 'Bearer',
      app_id: `APP-${digest(app.clientId).slice(0, 17)}`,
      expires_in: tokenSeconds,
      nonce: `${new Date(now).toISOString().slice(0, 19)}Z${randomBytes(33).toString('base64url')}`,
    };
  }

  /** The app to which the access token was issued. Throws 401. */
  getByAccessToken(authorization: string | undefined): App {
    const value = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
    if (value === undefined) throw new ApiError('AUTHENTICATION_FAILURE');
    const token = this.tokens.get(value);
    if (!token || token.expiresAt <= this.clock.now())
      throw new OAuthError(401, 'invalid_token', 'The token passed in was not found in the system');
    return this.apps.get(token.clientId)!;
  }

  /** PayPal may revoke tokens at any time. */
  revokeTokens(): void {
    this.tokens.clear();
  }

  webhooksOf(clientId: string): Webhook[] {
    return this.allWebhooks.filter((webhook) => webhook.clientId === clientId);
  }

  subscribedWebhooks(merchantId: string, eventType: string): Webhook[] {
    return this.webhooksOfMerchant(merchantId).filter(
      ({ eventTypes }) => eventTypes.includes('*') || eventTypes.includes(eventType),
    );
  }

  webhooksOfMerchant(merchantId: string): Webhook[] {
    return this.allWebhooks.filter(({ clientId }) => this.apps.get(clientId)!.merchantId === merchantId);
  }

  getWebhook(app: App, id: string): Webhook {
    const webhook = this.webhooks.get(id);
    if (webhook?.clientId !== app.clientId) throw new ApiError('INVALID_RESOURCE_ID');
    return webhook;
  }

  addWebhook(app: App, url: string, eventTypes: string[]): Webhook {
    const others = this.webhooksOf(app.clientId);
    if (others.some((other) => other.url === url)) throw new ApiError('WEBHOOK_URL_ALREADY_EXISTS');
    if (others.length >= maxWebhooksPerApp) throw new ApiError('WEBHOOK_NUMBER_LIMIT_EXCEEDED');
    const webhook = { id: newWebhookId(), clientId: app.clientId, url, eventTypes };
    this.webhooks.set(webhook.id, webhook);
    this.changed();
    return webhook;
  }

  changeWebhook(app: App, id: string, change: Partial<Pick<Webhook, 'url' | 'eventTypes'>>): Webhook {
    const webhook = this.getWebhook(app, id);
    const others = this.webhooksOf(app.clientId).filter((other) => other !== webhook);
    if (others.some((other) => other.url === change.url)) throw new ApiError('WEBHOOK_URL_ALREADY_EXISTS');
    Object.assign(webhook, change);
    this.changed();
    return webhook;
  }

  removeWebhook(app: App, id: string): void {
    this.webhooks.delete(this.getWebhook(app, id).id);
    this.changed();
  }

  restore(apps: App[], webhooks: Webhook[]): void {
    for (const app of apps) this.apps.set(app.clientId, app);
    for (const webhook of webhooks) this.webhooks.set(webhook.id, webhook);
  }

  private authenticate(authorization: string | undefined): App {
    const basic = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    const [clientId = '', ...rest] = Buffer.from(basic, 'base64').toString().split(':');
    const app = this.apps.get(clientId);
    if (!app || !sameText(app.secret, rest.join(':')))
      throw new OAuthError(401, 'invalid_client', 'Client Authentication failed');
    return app;
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').toUpperCase();
const sameText = (one: string, other: string) =>
  timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)));
const newClientId = () => `A${randomBytes(59).toString('base64url').slice(0, 79)}`;
const newSecret = () => `E${randomBytes(59).toString('base64url').slice(0, 79)}`;
/** As PayPal names the business accounts of its sandbox. */
const sandboxEmail = (clientId: string) =>
  `sb-${digest(clientId).slice(0, 8).toLowerCase()}@business.example.com`;
