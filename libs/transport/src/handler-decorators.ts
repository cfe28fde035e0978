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

/** Nest's default filter would replace every error with "Internal server error" before `StreamsServer` gets it. */
@Catch()
class PassThroughFilter implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

const passThroughFilter = new PassThroughFilter();

/** A method that does not fit its contract does not compile. */
type HandlerDecorator<I, C, T> = <M extends (input: I, context: C) => T | Promise<T> | Observable<T>>(
  target: object,
  key: string | symbol,
  method: TypedPropertyDescriptor<M>,
) => void;

/** The metadata with which `controllerOf` finds a handler's decorator, to apply it to the controller's method. */
const decoratorKey = 'transport:handler';

/**
 * Makes a method the handler of a contract. `StreamsServer` first checks `contract.access` and `contract.fresh` against the actor (UNAUTHENTICATED,
 * FORBIDDEN, FRESH_SIGN_IN_REQUIRED) and parses the input (INVALID_INPUT).
 */
export function Handles<C extends Contract>(
  contract: C,
): HandlerDecorator<HandlerInput<C>, RequestContext, Output<C>> {
  return handlerDecorator(MessagePattern(contract.pattern, { contract }));
}

/**
 * Makes a method follow an event. It gets each event at least once, in no particular order, so it must use an inbox or be idempotent. If it throws,
 * the event is delivered again later.
 */
export function OnEvent<E extends EventContract>(
  contract: E,
): HandlerDecorator<EventPayload<E>, EventContext, unknown> {
  return handlerDecorator(EventPattern(contract.event, { contract }) as MethodDecorator);
}

/**
 * A controller for a service class with `@Handles` or `@OnEvent`, because Nest takes handlers from controllers only. The module also needs the class
 * among its `providers`.
 */
export function controllerOf(service: Type): Type {
  class ServiceController {
    constructor(@Inject(service) readonly service: Record<string, (...args: unknown[]) => unknown>) {}
  }
  const { prototype } = ServiceController;
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(service.prototype))) {
    const decorator =
      value && (Reflect.getMetadata(decoratorKey, value as object) as MethodDecorator | undefined);
    if (!decorator) continue;
    const handle = function (this: ServiceController, ...args: unknown[]) {
      return this.service[name]!(...args);
    };
    Object.defineProperty(prototype, name, { value: handle });
    decorator(prototype, name, Object.getOwnPropertyDescriptor(prototype, name)!);
  }
  Controller()(ServiceController);
  // Nest's error messages show the class's name.
  return Object.defineProperty(ServiceController, 'name', { value: `${service.name}Controller` });
}

function handlerDecorator(patternDecorator: MethodDecorator): MethodDecorator {
  const decorator: MethodDecorator = (target, key, method) => {
    applyDecorators(patternDecorator, UseFilters(passThroughFilter), SetMetadata(decoratorKey, decorator))(
      target,
      key,
      method,
    );
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
  };
  return decorator;
}
