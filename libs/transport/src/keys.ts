import type { BroadcastChannel, ServiceName } from '#libs/contracts';

/**
 * The names of keys and channels in Redis. The hash tag, such as `{content}`, keeps all keys of one service or event owner in one cluster slot,
 * and lets one pattern in an ACL, such as `~{content}:*`, cover exactly those.
 */
export const keys = {
  /**
   * A stream of requests that wait for a replica of the service or are being handled. The gateway and each calling service have their own
   * stream, so that Redis's access rules guarantee who the caller is.
   */
  requests: (service: ServiceName, callingService?: ServiceName) =>
    callingService === undefined ? `{${service}}:requests` : `{${service}}:requests:${callingService}`,
  /** Present while a replica is alive; its value is the number of requests that a request stream may hold, waiting or being handled. */
  alive: (service: ServiceName) => `{${service}}:alive`,
  /** The events with the same owner, which is the part of an event's name before the dot. */
  events: (owner: string) => `{${owner}}:events`,
  deadLetters: (service: ServiceName) => `{${service}}:dead`,
  /**
   * The channel on which one caller receives the replies of one service. Nobody else can listen, because `id` is random, and no other service
   * may publish there, because a service may only publish to channels with its own name.
   */
  replies: (caller: string, service: ServiceName, id: string) => `${repliesTo(caller)}${service}:${id}`,
  broadcast: (channel: BroadcastChannel) => `broadcast:${channel}`,
};

/** The prefix of a caller's reply channels. */
export const repliesTo = (caller: string) => `reply:${caller}:`;

/** The owner of an event: `content.changed` belongs to `content`. */
export function ownerOf(event: string): string {
  const dot = event.indexOf('.');
  return dot === -1 ? event : event.slice(0, dot);
}

/** When an entry was added, by Redis's clock in milliseconds: the part of its id before the dash. */
export function addedAt(entryId: string): number {
  return Number(entryId.slice(0, entryId.indexOf('-')));
}
