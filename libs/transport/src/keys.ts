import type { BroadcastChannel, ServiceName } from '#libs/contracts';

/**
 * The names of keys and channels in Redis. A hash tag such as `{content}` keeps the keys of one owner in one cluster slot. An ACL pattern such as
 * `~{content}:*` covers exactly those.
 */
export const keys = {
  /**
   * Requests that wait for a replica of the service or are being handled. The gateway and each calling service have their own stream, so Redis's
   * access rules guarantee who the caller is.
   */
  requests: (service: ServiceName, callingService?: ServiceName) =>
    callingService === undefined ? `{${service}}:requests` : `{${service}}:requests:${callingService}`,
  /** Present while a replica is alive; the value is how many requests each request stream may hold. */
  alive: (service: ServiceName) => `{${service}}:alive`,
  events: (owner: string) => `{${owner}}:events`,
  deadLetters: (service: ServiceName) => `{${service}}:dead`,
  /**
   * Where one caller receives the replies of one service. Nobody else can listen, because `clientId` is random. No other service may publish there,
   * because a service may only publish to channels with its own name.
   */
  replies: (caller: string, service: ServiceName, clientId: string) =>
    `${replyPrefixOf(caller)}${service}:${clientId}`,
  broadcast: (channel: BroadcastChannel) => `broadcast:${channel}`,
};

export const replyPrefixOf = (caller: string) => `reply:${caller}:`;

/** Of an event, or of the pattern of a request: `content.changed` belongs to `content`. */
export function ownerOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? name : name.slice(0, dot);
}

/** By Redis's clock, in milliseconds. */
export function addedAt(entryId: string): number {
  return Number(entryId.slice(0, entryId.indexOf('-')));
}
