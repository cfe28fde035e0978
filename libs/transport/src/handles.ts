import { applyDecorators, Catch, type RpcExceptionFilter, UseFilters } from '@nestjs/common';
import { EventPattern, MessagePattern } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import type { Contract, EventContract, Output } from '#libs/contracts';

/** Nest's default filter turns every error into "Internal server error"; this one lets StreamsServer see the error. */
@Catch()
class ErrorsReachTheTransport implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

const passErrors = new ErrorsReachTheTransport();

/** Accepts methods that return `T` or a promise of it: a method that does not fit its contract does not compile. */
type HandlerDecorator<T> = <M extends (...args: never[]) => T | Promise<T> | Observable<T>>(
  target: object,
  key: string | symbol,
  method: TypedPropertyDescriptor<M>,
) => void;

/**
 * The method answers this contract: an ordinary `@MessagePattern` with the contract as metadata. Before the method runs, `StreamsServer`
 * checks `contract.access` against the actor (UNAUTHENTICATED, FORBIDDEN) and parses the input (INVALID_INPUT with one entry per field), so
 * the method receives `HandlerInput<C>`.
 */
export function Handles<C extends Contract>(contract: C): HandlerDecorator<Output<C>> {
  return applyDecorators(MessagePattern(contract.pattern, { contract }), UseFilters(passErrors));
}

/**
 * The method follows this event: an ordinary `@EventPattern`. It is called at least once per event, in no particular order, so its effect must
 * go through an inbox or be idempotent. If it throws, the event is delivered again later.
 */
export function OnEvent(contract: EventContract): MethodDecorator {
  return applyDecorators(
    EventPattern(contract.event, { contract }) as MethodDecorator,
    UseFilters(passErrors),
  );
}
