import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Inject,
  RequestMapping,
  RequestMethod,
  Res,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  type AnswerForm,
  type Contract,
  createdAnswer,
  deletedAnswer,
  type Operation,
  type OperationInput,
  type OperationResult,
  relayedIn,
  updatedAnswer,
} from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { callerOf, clientOf, type GatewayRequest } from './gateway-request.js';
import { inputOf } from './input.js';
import { listAnswer } from './listing.js';

export const operationKey = 'gateway:operation';

/** What a handler gets besides its input. */
export interface Context {
  /** Pass it to `RpcClient.call`. It has the actor, the trace and, with an `Idempotency-Key`, the id of the command. */
  readonly caller: CallOptions;
  readonly request: GatewayRequest;
  readonly reply: FastifyReply;
}

type Operations = Readonly<Record<string, Operation>>;
type Handled<Ops> = {
  [K in keyof Ops]: Ops[K] extends { readonly relay: string } ? never : K;
}[keyof Ops];
type Handlers<Ops> = {
  [K in Handled<Ops>]: (
    input: OperationInput<Ops[K]>,
    context: Context,
  ) => OperationResult<Ops[K]> | Promise<OperationResult<Ops[K]>>;
};
/** The fields of handlers' answers that their operations do not declare. */
type Undeclared<Ops, T> = {
  [K in Handled<Ops> & keyof T]: unknown extends OperationResult<Ops[K]>
    ? never
    : T[K] extends (...args: never[]) => infer R
      ? Exclude<keyof Awaited<R>, keyof OperationResult<Ops[K]>>
      : never;
}[Handled<Ops> & keyof T];

/**
 * Makes a class the controller of a group of operations: each operation that is not relayed is handled by the method of the same name. A class
 * whose methods do not match the declarations does not compile.
 */
export function Serves<Ops extends Operations>(operations: Ops) {
  return <T extends Handlers<Ops>>(
    target: [Undeclared<Ops, T>] extends [never]
      ? new (...args: never[]) => T
      : // The compiler's error shows this type.
        { 'not declared in the answer': Undeclared<Ops, T> },
  ): void => bindController(target as unknown as Type, operations);
}

/** Like `Serves`, for a controller that is created at run time: the compiler cannot check its methods. */
export function bindController(controller: Type, operations: Operations): void {
  for (const [name, operation] of Object.entries(operations))
    if (!operation.relay) bindHandler(controller.prototype as object, name, operation);
  Controller()(controller);
}

export function relayControllerOf(operations: Operations): Type {
  class RelayController {
    constructor(@Inject(RpcClient) readonly rpc: RpcClient) {}
  }
  const relayed = Object.values(relayedIn(operations) as Record<string, Operation & Contract>);
  for (const operation of relayed) {
    const handle = async function (this: RelayController, received: object, context: Context) {
      const input = { ...received, ...('client' in operation && { client: clientOf(context.request) }) };
      return answerForms[operation.relay!](await this.rpc.call(operation, input, context.caller), context);
    };
    Object.defineProperty(RelayController.prototype, operation.operationId, { value: handle });
    bindHandler(RelayController.prototype, operation.operationId, operation);
  }
  Controller()(RelayController);
  // Nest's error messages name controllers by their classes.
  return Object.defineProperty(RelayController, 'name', { value: `${relayed[0]!.operationId}Relays` });
}

/* oxlint-disable typescript/no-explicit-any -- each form gets the output that `relay` or `list` declared for it. */
const answerForms: Record<AnswerForm, (output: any, context: Context) => unknown> = {
  output: (output) => output,
  list: (page, { request, reply }) => listAnswer(page, request, reply),
  created: createdAnswer,
  updated: updatedAnswer,
  deleted: deletedAnswer,
  acknowledged: (output) => ({ ...output, acknowledged: true }),
};
/* oxlint-enable typescript/no-explicit-any */

const Input = createParamDecorator((operation: Operation, context: ExecutionContext) =>
  inputOf(operation, context.switchToHttp().getRequest<GatewayRequest>()),
);
const HandlerContext = createParamDecorator((_: unknown, context: ExecutionContext): Context => {
  const http = context.switchToHttp();
  const request = http.getRequest<GatewayRequest>();
  return { caller: callerOf(request), request, reply: http.getResponse<FastifyReply>() };
});

function bindHandler(prototype: object, name: string, operation: Operation): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  if (!descriptor) throw new Error(`${operation.method} ${operation.path} has no handler named ${name}`);
  const decorators = [
    RequestMapping({ method: RequestMethod[operation.method], path: operation.path }),
    HttpCode(operation.status),
    SetMetadata(operationKey, operation),
  ];
  for (const decorate of decorators) decorate(prototype, name, descriptor);
  Input(operation)(prototype, name, 0);
  HandlerContext()(prototype, name, 1);
  // An unused parameter, which tells Nest that the handler replies by itself.
  if (operation.writesReply) Res()(prototype, name, 2);
}
