export { Broadcaster, type BroadcastListener } from './broadcaster.js';
export { EventContext, fingerprintOf, RequestContext } from './context.js';
export { DeadLetters, type DeadLetter, type DeadReason } from './dead-letters.js';
export { EventPublisher, type EventPublisherOptions, type OutgoingEvent } from './event-publisher.js';
export { Handles, OnEvent } from './handles.js';
export type { Outcome, TransportLogger, TransportObserver } from './observer.js';
export { redisAclLines, redisRules, type RedisUser, redisUsers } from './redis-access.js';
export { type CallOptions, RpcClient, type RpcClientOptions } from './rpc-client.js';
export { type QueueStats, StreamsServer, type StreamsServerOptions } from './streams-server.js';
