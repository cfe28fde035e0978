/**
 * Call it when the session has ended on the server, or the account's address, verification, role or second factors have changed. All tabs read the
 * session again. A channel does not deliver to its sender, so a new one is opened to reach this tab's listener in `lib/session.ts`, too.
 */
export function announceSessionChange(): void {
  const channel = new BroadcastChannel('session');
  channel.postMessage('changed');
  channel.close();
}
