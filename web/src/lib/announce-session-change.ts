/**
 * Call it when the session has ended on the server, or the account's address, its verification, its role or its second factors have changed: this
 * tab and the others read the session again. A channel does not deliver a message to its sender, so a new one is opened, for this tab's listener
 * in `lib/session.ts` to receive the message too.
 */
export function announceSessionChange(): void {
  const channel = new BroadcastChannel('session');
  channel.postMessage('changed');
  channel.close();
}
