import { relative } from 'node:path';
import type { StackSettings } from './settings.js';
import type { Stack } from './stack.js';

export function announcement(stack: Stack, settings: StackSettings): string {
  const { email, password, isNew } = stack.admin;
  const rows: [string, string][] = [];
  if (settings.PUBLIC_URL) rows.push(['Public address', settings.PUBLIC_URL]);
  if (!isNew) {
    rows.push(['Admin', `${email} (for a new password, run: npm run admin -- reset-password)`]);
  } else {
    rows.push(['First admin', email]);
    rows.push([
      'Password',
      // If an interrupted start has created the account, the password is the one of that start, whatever ADMIN_PASSWORD is now.
      password === settings.ADMIN_PASSWORD ? 'from ADMIN_PASSWORD' : `${password} (shown only this once)`,
    ]);
  }
  if (stack.paypalUrl)
    rows.push(['PayPal', `${stack.paypalUrl} (simulated; open it for refunds, disputes and e-checks)`]);
  if (stack.googleUrl) rows.push(['Google', `${stack.googleUrl} (simulated; choose any identity)`]);
  if (stack.mailUrl) rows.push(['Mail', `${stack.mailUrl} (a local inbox; nothing leaves this machine)`]);
  rows.push(['Data', relative(process.cwd(), settings.dataDir) || '.']);
  if (stack.databaseFolder)
    rows.push([
      'Databases',
      `${stack.databaseFolder} (kept elsewhere, because the Postgres user cannot access the data folder)`,
    ]);
  rows.push(['Stop', 'Ctrl-C']);
  const lines = rows.map(([name, value]) => `  ${name.padEnd(16)}${value}`);
  return ['', `Ready: ${stack.url}`, '', ...lines, ''].join('\n');
}
