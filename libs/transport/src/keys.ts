import type { BroadcastChannel, ServiceName } from '#libs/contracts';

/**
 * Names in Redis. The `{owner}` hash tag keeps all keys of one service in one cluster slot, and lets an ACL
 * give a process `~{content}:*` and nothing else.
 */
export const keys = {
  /** Requests waiting for, or in the hands of, a replica of the service. */
  requests: (service: ServiceName) => `{${service}}:requests`,
  /** Present while a replica lives; its value is how many requests may wait. */
  alive: (service: ServiceName) => `{${service}}:alive`,
  /** What a service told the others. `owner` is the part of the event's name before the dot. */
  events: (owner: string) => `{${owner}}:events`,
  deadLetters: (service: ServiceName) => `{${service}}:dead`,
  /** One caller's own channel for replies (a random name, so nobody else can listen by guessing). */
  replies: (callerId: string) => `reply:${callerId}`,
  broadcast: (channel: BroadcastChannel) => `broadcast:${channel}`,
};

/** The owner of an event: `content.changed` belongs to `content`. */
export function ownerOf(event: string): string {
  const dot = event.indexOf('.');
  return dot === -1 ? event : event.slice(0, dot);
}

/** When an entry was added, by Redis's clock, in milliseconds: the part of its id before the dash. */
export function addedAt(entryId: string): number {
  return Number(entryId.slice(0, entryId.indexOf('-')));
}
