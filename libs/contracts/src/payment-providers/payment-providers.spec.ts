import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { paymentProviders } from './payment-providers.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const providerFolders = [
  'libs/contracts/src/payment-providers/',
  ...paymentProviders.map(({ name }) => `apps/orders/payment/${name}/`),
];

/** Other files that name a provider. Add none without a documented reason. */
const exceptions = [
  // The orders service's list of providers.
  'apps/orders/payment/payment-providers.ts',
  // Stored names that cannot change.
  'apps/orders/migrations/1764000000000-orders.ts',
  // Texts of the demo site.
  'apps/content/seed/demo-content.ts',
  'apps/content/seed/demo-legal.ts',
  // The documented screen for the PayPal e-mail address: its paths, its components, its step in the setup guide, and what links to it.
  'libs/contracts/src/setup.contract.ts',
  'libs/contracts/src/screen-paths.ts',
  'web/src/app/add-paypal-email.tsx',
  'web/src/app/screens.tsx',
  'web/src/features/admin-orders/PaypalEmailForbidden.tsx',
  'web/src/features/admin/AdminDashboard.tsx',
  'web/src/features/admin/PaypalEmail.tsx',
  'web/src/features/admin/PaypalConnection.tsx',
  'web/src/features/admin/PaypalScreen.tsx',
  'web/src/features/admin/audit.ts',
  'web/src/features/admin/paypal-email.route.tsx',
  'web/src/features/admin/setup/setup-steps.ts',
];

test('in apps, libs, web/src and web/server, only tests, the folders of providers and a fixed list of files name a payment provider', () => {
  const names = new RegExp(paymentProviders.flatMap(({ name, label }) => [name, label]).join('|'), 'i');
  const sources = ['apps', 'libs', 'web/src', 'web/server']
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.tsx?$|\/test\/|^libs\/testing\//.test(file))
    .filter((file) => !providerFolders.some((folder) => file.startsWith(folder)));
  const namingFiles = sources.filter((file) => names.test(readFileSync(`${root}${file}`, 'utf8')));
  expect(namingFiles.sort()).toEqual(exceptions.sort());
});
