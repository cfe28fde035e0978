import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { format, type FormatOptions } from 'oxfmt';
import { aboutEditShell } from '#libs/contracts';
import type { Access, Page } from '../lib/page.js';
import { visitorPages } from './pages.js';
import { screens } from './screens.js';

const file = new URL('../../../libs/contracts/src/screen-paths.ts', import.meta.url);

const listOf = (name: string, pages: readonly Page[]) =>
  `export const ${name} = ${JSON.stringify(pages.map(({ path }) => path))} as const;`;

test('the lists of paths in screen-paths.ts agree with the tables of screens', async () => {
  const opensForEveryone = ({ access, isOpen }: Page) => access === undefined || isOpen;
  // Rows with a `name` are public pages, whose paths are in `publicPages`.
  const open = [...visitorPages.filter(({ name }) => !name), ...screens.filter(opensForEveryone)];
  // `aboutEditShell` is in none of these lists, because it matches any path of one segment, and the gateway takes only a UUID there.
  const others = screens.filter((page) => !opensForEveryone(page) && page.path !== aboutEditShell);
  const withAccess = (wanted: Access) => others.filter(({ access }) => access === wanted);
  const source = `
// Written by \`npm run golden\` from the tables of screens in web/src/app.

/**
 * The gateway answers these paths for everyone, and search engines must not index them. A screen can still require an admin, as \`/add-paypal-Email\`
 * does. The answer is the screen with the site’s name, logo and footer or, while it cannot be rendered, a shell.
 */
${listOf('openScreens', open)}

/** For signed-in people: a shell, whose data the browser loads. */
${listOf('accountShells', withAccess('account'))}

/** Shells for admins only. */
${listOf('adminShells', withAccess('admin'))}
`;
  const style = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatOptions;
  const { code: text } = await format('screen-paths.ts', source, style);
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
});
