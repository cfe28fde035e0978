import type { BroadcastChannel, ServiceName } from '#libs/contracts';

/**
 * Names in Redis. The `{owner}` hash tag keeps all keys of one service in one cluster slot, and lets an ACL
 * give a process `~{content}:*` and nothing else.
 */
export const keys = {
  /**
   * Requests waiting for, or in the hands of, a replica of the service: the gateway's, or those of another service, which has a stream
   * of its own, so that Redis knows who asks.
   */
  requests: (service: ServiceName, colleague?: ServiceName) =>
    colleague === undefined ? `{${service}}:requests` : `{${service}}:requests:${colleague}`,
  /** Present while a replica lives; its value is how many requests may wait. */
  alive: (service: ServiceName) => `{${service}}:alive`,
  /** What a service told the others. `owner` is the part of the event's name before the dot. */
  events: (owner: string) => `{${owner}}:events`,
  deadLetters: (service: ServiceName) => `{${service}}:dead`,
  /**
   * Where one caller hears the replies of one service: nobody else can listen, for `id` is random, and no other service may
   * publish there, for its name stands in it.
   */
  replies: (caller: string, service: ServiceName, id: string) => `${repliesTo(caller)}${service}:${id}`,
  broadcast: (channel: BroadcastChannel) => `broadcast:${channel}`,
};

/** What the channels of a caller begin with. */
export const repliesTo = (caller: string) => `reply:${caller}:`;

/** The owner of an event: `content.changed` belongs to `content`. */
export function ownerOf(event: string): string {
  const dot = event.indexOf('.');
  return dot === -1 ? event : event.slice(0, dot);
}

/** When an entry was added, by Redis's clock, in milliseconds: the part of its id before the dash. */
export function addedAt(entryId: string): number {
  return Number(entryId.slice(0, entryId.indexOf('-')));
}
