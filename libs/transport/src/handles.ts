import {
  applyDecorators,
  Catch,
  Controller,
  Inject,
  type RpcExceptionFilter,
  SetMetadata,
  type Type,
  UseFilters,
} from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import type { Contract, EventContract, EventPayload, HandlerInput, Output } from '#libs/contracts';
import type { EventContext, RequestContext } from './context.js';

/** Nest's default filter turns every error into "Internal server error"; this one lets StreamsServer see the error. */
@Catch()
class PassThroughFilter implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

const passErrors = new PassThroughFilter();

/** A method that does not fit its contract does not compile. */
type HandlerDecorator<I, C, T> = <M extends (input: I, context: C) => T | Promise<T> | Observable<T>>(
  target: object,
  key: string | symbol,
  method: TypedPropertyDescriptor<M>,
) => void;

/** The metadata key of the decorator that makes a method a handler for Nest. */
const handlerKey = 'transport:handler';

/**
 * The method handles the calls of this contract: an ordinary `@MessagePattern` with the contract as metadata. Before the method runs, `StreamsServer`
 * checks `contract.access` and `contract.fresh` against the actor (UNAUTHENTICATED, FORBIDDEN, FRESH_SIGN_IN_REQUIRED) and parses the input
 * (INVALID_INPUT), so the method receives `HandlerInput<C>`, and the `RequestContext` as its second argument.
 */
export function Handles<C extends Contract>(
  contract: C,
): HandlerDecorator<HandlerInput<C>, RequestContext, Output<C>> {
  return handlerDecorator(MessagePattern(contract.pattern, { contract }));
}

/**
 * The method follows this event: an ordinary `@EventPattern`. It is called at least once per event, in no particular order, so its effect must
 * go through an inbox or be idempotent. If it throws, the event is delivered again later.
 */
export function OnEvent<E extends EventContract>(
  contract: E,
): HandlerDecorator<EventPayload<E>, EventContext, unknown> {
  return handlerDecorator(EventPattern(contract.event, { contract }) as MethodDecorator);
}

/**
 * Makes the controller of a service class whose methods have `@Handles` or `@OnEvent`: Nest takes handlers from controllers only, and controllers
 * cannot be injected elsewhere. The module must have the service class among its `providers`, too.
 */
export function controllerOf(service: Type): Type {
  class ServiceController {
    constructor(@Inject(service) readonly service: Record<string, (...args: unknown[]) => unknown>) {}
  }
  const { prototype } = ServiceController;
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(service.prototype))) {
    const decorator =
      value && (Reflect.getMetadata(handlerKey, value as object) as MethodDecorator | undefined);
    if (!decorator) continue;
    const handle = function (this: ServiceController, ...args: unknown[]) {
      return this.service[name]!(...args);
    };
    Object.defineProperty(prototype, name, { value: handle });
    decorator(prototype, name, Object.getOwnPropertyDescriptor(prototype, name)!);
  }
  Controller()(ServiceController);
  // Without this, Nest's error messages would call every such controller ServiceController.
  return Object.defineProperty(ServiceController, 'name', { value: `${service.name}Controller` });
}

function handlerDecorator(patternDecorator: MethodDecorator): MethodDecorator {
  const decorator: MethodDecorator = (target, key, method) => {
    applyDecorators(patternDecorator, UseFilters(passErrors), SetMetadata(handlerKey, decorator))(
      target,
      key,
      method,
    );
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
  };
  return decorator;
}
