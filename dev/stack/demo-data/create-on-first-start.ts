import type { StackSettings } from '../settings.js';
import type { Stack } from '../stack.js';
import { createDemoData } from './demo-data.js';

/**
 * Creates the demo data on the first start, if DEMO_DATA is `yes` and the site has demo content, simulated payments and the mail catcher. Resolves
 * when that is done, has failed or was interrupted.
 */
export async function createDemoDataOnFirstStart(
  stack: Stack,
  settings: StackSettings,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<void> {
  const { url, paypalUrl, mailUrl, databases } = stack;
  const { email, password, isNew } = stack.admin;
  const isWanted = settings.SEED === 'demo' && settings.DEMO_DATA === 'yes';
  if (!isWanted || !isNew || password === undefined || !paypalUrl || !mailUrl) return;
  try {
    await createDemoData({ url, admin: { email, password }, paypalUrl, mailUrl, databases }, signal);
    report(
      'Demo orders, monthly plans, projects, messages and subscribers are ready. The admin’s dashboard can remove them.',
    );
  } catch (error) {
    // At the next start, the admin is not new any more, so nothing completes this data.
    const reason = signal.aborted
      ? ', because the site was stopped. The admin’s dashboard can remove it.'
      : `: ${(error as Error).message}`;
    report(`! The demo data is incomplete${reason}`);
  }
}
