// `node docker/settings.mjs [--dev] > .env`: prints settings for docker-compose.yml with new random secrets. `--dev` adds stand-ins and demo content.
import { randomBytes } from 'node:crypto';

const secret = () => randomBytes(24).toString('base64url');
const services = ['content', 'orders', 'projects', 'messaging', 'identity'].map((name) => name.toUpperCase());
const dev = process.argv.includes('--dev');

const settings = {
  COMPOSE_PROJECT_NAME: 'seo-services',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: secret(),
  POSTGRES_PASSWORD: secret(),
  ...Object.fromEntries(services.map((name) => [`${name}_DB_PASSWORD`, secret()])),
  REDIS_PASSWORD: secret(),
  ...Object.fromEntries(['GATEWAY', ...services].map((name) => [`${name}_REDIS_PASSWORD`, secret()])),
  KEY_ENCRYPTION_SECRET: secret(),
  // Browsers and containers use the same host names. Each stand-in has one of its own, because cookies are shared between all ports of a host.
  ...(dev && {
    COMPOSE_PROFILES: 'dev',
    PUBLIC_URL: 'http://site.localhost:3000',
    SEED: 'demo',
    PAYPAL_MODE: 'simulator',
    PAYPAL_SIMULATOR_URL: 'http://paypal.localhost:4010',
    GOOGLE_ISSUER: 'http://google.localhost:4020',
    GOOGLE_CLIENT_ID: 'the-site-of-this-compose-file',
    GOOGLE_CLIENT_SECRET: secret(),
    SMTP_URL: 'smtp://mail:2525',
    MAIL_FROM: 'hello@example.com',
  }),
};
for (const [name, value] of Object.entries(settings)) console.log(`${name}=${value}`);
