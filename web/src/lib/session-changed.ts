/**
 * Something about the session is another now (the address, whether it is verified, whether it lives), and the server alone knows what: this tab and
 * the others ask it. `lib/session.ts` listens on the channel, to which this is one more speaker.
 */
export function sessionChanged(): void {
  const channel = new BroadcastChannel('session');
  channel.postMessage('changed');
  channel.close();
}
